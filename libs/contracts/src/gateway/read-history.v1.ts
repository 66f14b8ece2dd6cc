import { z } from 'zod';
import { defineRequest } from '../bus/define-message';
import { InstanceId, MessageId, RoomToken } from '../ids';

const said = {
  id: z.int().nonnegative(),
  actorType: z.string().max(64),
  actorId: z.string().max(1_024),
  actorDisplayName: z.string().max(1_024),
  message: z.string().max(64_000),
  /** By placeholder; an empty list where there are none. */
  messageParameters: z.unknown(),
};

/** A message as Talk's chat API shows it to a member. Unknown fields are dropped. */
export const HistoryMessage = z.object({
  ...said,
  /** Seconds since the epoch, by Nextcloud's clock. */
  timestamp: z.int().nonnegative(),
  /** Talk's untranslated identifier of a system message; empty for what somebody wrote. */
  systemMessage: z.string().max(128),
  messageType: z.string().max(64),
  threadId: z.int().nonnegative().optional(),
  isThread: z.boolean().optional(),
  lastEditTimestamp: z.int().optional(),
  lastEditActorType: z.string().max(64).optional(),
  lastEditActorId: z.string().max(1_024).optional(),
  /** What it answers; only an id where that was deleted. */
  parent: z
    .union([z.object(said), z.object({ id: z.int().nonnegative(), deleted: z.literal(true) })])
    .optional(),
});
export type HistoryMessage = z.infer<typeof HistoryMessage>;

export const RoomHistoryPage = z.object({
  v: z.literal(1),
  /** Oldest first; what cannot be read is left out. */
  messages: z.array(HistoryMessage).max(200),
  /** The id after which the next page begins, or null where this was the last. */
  next: MessageId.nullable(),
});
export type RoomHistoryPage = z.infer<typeof RoomHistoryPage>;

/** What was written in a room after a message, as the instance's `historyReader` sees it. Reading marks nothing as read. */
export const ReadHistory = defineRequest({
  name: 'gateway.history.v1',
  subject: 'gateway.history',
  request: z.object({ v: z.literal(1), instance: InstanceId, room: RoomToken, after: MessageId }),
  reply: RoomHistoryPage,
  timeoutMs: 12_000,
});
