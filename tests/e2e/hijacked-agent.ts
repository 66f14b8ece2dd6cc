import { randomUUID } from 'node:crypto';
import {
  ActOnApproval,
  AnswerConfirmation,
  ChatEvent,
  ExecuteTool,
  ProposeConfirmation,
} from '@nuqloud/contracts';
import type {
  AnswerConfirmationReply,
  ApprovedAction,
  ChatMessage,
  ExecuteToolReply,
  PlannedAction,
  ToolCallContext,
  ToolResult,
} from '@nuqloud/contracts';
import { createPrisma, serviceDatabaseUrl } from '@nuqloud/database';
import type { PrismaClient } from '@nuqloud/database';
import type { Bus } from '@nuqloud/messaging';
import { TokenSigner } from '@nuqloud/platform';
import type { TestBed } from '@nuqloud/testing';

type Granted = Extract<ApprovedAction, { state: 'approved' }>;

/** Somebody with everything that the agent's process has: its bus user, its database role, its keys, its messages. */
export class HijackedAgent {
  private readonly heard = new Map<string, ChatMessage>();

  private constructor(
    readonly bus: Bus,
    readonly database: PrismaClient,
    readonly signer: TokenSigner,
  ) {}

  static async take(bed: TestBed): Promise<HijackedAgent> {
    const keys = await bed.keysOf('agent');
    const bus = await bed.busOf('agent');
    const database = createPrisma(serviceDatabaseUrl(bed.databaseUrl, 'agent', keys.databasePassword));
    const agent = new HijackedAgent(bus, database, new TokenSigner('agent', keys.signing));
    void agent.listen();
    return agent;
  }

  /** The event with that message, as talk-ingress published it. */
  event(message: number): ChatMessage | undefined {
    return this.heard.get(String(message));
  }

  async callTool(
    event: ChatMessage,
    tool: string,
    args: Record<string, unknown>,
    over: object = {},
  ): Promise<ExecuteToolReply> {
    const request = {
      v: 1,
      callId: randomUUID(),
      tool,
      arguments: args,
      context: contextOf(event),
      attestation: event.attestation,
      text: event.text,
      ...over,
    } as const;
    return this.bus.request(ExecuteTool, { provider: 'files' }, request);
  }

  /** A signed plan of a tool service. */
  async plan(event: ChatMessage, tool: string, args: Record<string, unknown>): Promise<string> {
    const reply = await this.callTool(event, tool, args);
    if (!('plan' in reply)) throw new Error(JSON.stringify(reply));
    return reply.plan;
  }

  propose(event: ChatMessage, ...plans: string[]) {
    const proposals = plans.map((plan) => ({ plan }));
    const { attestation } = event;
    return this.bus.request(
      ProposeConfirmation,
      {},
      { v: 1, attestation, proposals, language: 'en', zone: null },
    );
  }

  judge(event: ChatMessage, over: object = {}): Promise<AnswerConfirmationReply> {
    const { attestation, text, replyTo } = event;
    const request = { v: 1, attestation, text, ...(replyTo && { quoted: replyTo }), ...over } as const;
    return this.bus.request(AnswerConfirmation, {}, request);
  }

  async act(
    yes: ChatMessage,
    granted: Pick<Granted, 'action' | 'grant'>,
    over: Partial<PlannedAction> = {},
  ): Promise<ToolResult> {
    const { result } = await this.bus.request(
      ActOnApproval,
      { provider: 'files' },
      {
        v: 1,
        callId: randomUUID(),
        action: { ...granted.action, ...over },
        grant: granted.grant,
        context: contextOf(yes),
        attestation: yes.attestation,
        text: yes.text,
      },
    );
    return result;
  }

  close(): Promise<void> {
    return this.database.$disconnect();
  }

  private async listen(): Promise<void> {
    const consumer = await this.bus.connection.jetstream().consumers.get(ChatEvent.stream, 'agent');
    for await (const message of await consumer.consume()) {
      const event = ChatEvent.body.parse(message.json());
      if (event.kind === 'message') this.heard.set(event.messageId, event);
      message.ack();
    }
  }
}

const contextOf = ({ instance, bot, room, messageId, thread }: ChatMessage): ToolCallContext => ({
  instance,
  bot,
  room,
  messageId,
  ...(thread !== undefined && { thread }),
  attachments: [],
  language: 'en',
  zone: null,
});
