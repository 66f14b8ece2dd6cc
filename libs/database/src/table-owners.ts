import type { DatabaseService } from '@nuqloud/contracts';

/**
 * The one service that may touch each table. The comment above each model of prisma/schema.prisma says the
 * same for readers; a test compares both with the database.
 */
export const TABLE_OWNERS = {
  ingress_bots: 'talk-ingress',
  ingress_apps: 'talk-ingress',
  ingress_app_rooms: 'talk-ingress',
  ingress_rooms: 'talk-ingress',
  ingress_posts: 'talk-ingress',
  ingress_known_messages: 'talk-ingress',
  gateway_instances: 'nextcloud-gateway',
  gateway_grants: 'nextcloud-gateway',
  agent_bots: 'agent',
  agent_rooms: 'agent',
  bot_tools: 'agent',
  agent_tools: 'agent',
  agent_inbox: 'agent',
  agent_leases: 'agent',
  agent_turns: 'agent',
  agent_turn_steps: 'agent',
  agent_conversation: 'agent',
  agent_prompts: 'agent',
  agent_receipts: 'agent',
  confirmation_bots: 'confirmation',
  confirmations: 'confirmation',
  confirmation_actions: 'confirmation',
} as const satisfies Readonly<Record<string, DatabaseService>>;

export type OwnedTable = keyof typeof TABLE_OWNERS;

export const tablesOf = (service: DatabaseService): OwnedTable[] =>
  (Object.keys(TABLE_OWNERS) as OwnedTable[]).filter((table) => TABLE_OWNERS[table] === service);
