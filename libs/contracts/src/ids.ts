import { z } from 'zod';

/** Instances, bots and providers are named in bus subjects: anything that does not match never becomes one. */
const slug = (what: string) =>
  z.string().regex(/^[a-z0-9-]{1,40}$/, `${what} must be 1 to 40 of a-z, 0-9 and -`);

export const InstanceId = slug('an instance id');
export type InstanceId = z.infer<typeof InstanceId>;

export const BotSlug = slug('a bot slug');
export type BotSlug = z.infer<typeof BotSlug>;

export const ProviderId = slug('a provider id');
export type ProviderId = z.infer<typeof ProviderId>;

/** Talk's conversation token (spreed route pattern). */
export const RoomToken = z.string().regex(/^[a-z0-9]{4,30}$/, 'a room token must be 4 to 30 of a-z and 0-9');
export type RoomToken = z.infer<typeof RoomToken>;

/** Tool names are stored in loadouts and sent to models, which allow at most 64 characters. */
export const ToolName = z
  .string()
  .regex(/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/, 'a tool name must be 1 to 64 of letters, digits, _ and -');
export type ToolName = z.infer<typeof ToolName>;

/** A number as Talk sends it in webhooks: a decimal string. */
export const MessageId = z.string().regex(/^[0-9]{1,20}$/, 'a message id must be a decimal number');
export type MessageId = z.infer<typeof MessageId>;

/**
 * Who wrote something in Talk. `type` and `id` are never joined again for a decision:
 * `users/bob`, `guests/bob` and `federated_users/bob` are three different people.
 */
export const Actor = z.object({
  type: z.string().min(1).max(64),
  id: z.string().max(1024),
});
export type Actor = z.infer<typeof Actor>;
