import { z } from 'zod';
import { defineBroadcast } from '../bus/define-message';
import { InstanceId, ProviderId } from '../ids';

/** Which Nextcloud the tools are for: a provider offers only what works there. */
export const CollectToolProvidersRequest = z.object({
  v: z.literal(1),
  instance: z.object({
    id: InstanceId,
    /** Major version, or null while Nextcloud cannot be asked. */
    nextcloudMajor: z.number().int().nullable(),
    apps: z.array(z.string().max(64)).max(500),
  }),
});
export type CollectToolProvidersRequest = z.infer<typeof CollectToolProvidersRequest>;

/**
 * `tools` is checked one by one by the agent (ToolDefinition), so that one broken
 * definition costs only itself.
 */
export const CollectToolProvidersReply = z.object({
  v: z.literal(1),
  provider: ProviderId,
  tools: z.array(z.unknown()).max(200),
  /** Why nothing, or less than usual, is offered; shown to administrators. */
  note: z.string().max(500).optional(),
});
export type CollectToolProvidersReply = z.infer<typeof CollectToolProvidersReply>;

/** Who offers which tools for this Nextcloud? */
export const CollectToolProviders = defineBroadcast({
  name: 'tools.collect.v1',
  subject: 'tools.collect',
  request: CollectToolProvidersRequest,
  reply: CollectToolProvidersReply,
  timeoutMs: 1_000,
});
