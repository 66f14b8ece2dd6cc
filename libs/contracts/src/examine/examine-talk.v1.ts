import { z } from 'zod';
import { defineRequest } from '../bus/define-message';
import { BotSlug, InstanceId, RoomToken } from '../ids';

export const ExamineTalkRequest = z.object({
  v: z.literal(1),
  /** A room to try beside those in which a bot has posted lately. */
  room: RoomToken.optional(),
});
export type ExamineTalkRequest = z.infer<typeof ExamineTalkRequest>;

/**
 * What Talk says to a call signed by us that changes nothing: `accepted`; `refused` (another secret, a bot that is not set
 * up in the room, or one without the feature `response`: Talk does not say which); `blocked` after too many wrong
 * signatures; `unreachable`.
 */
export const RoomVerdict = z.enum(['accepted', 'refused', 'blocked', 'unreachable']);
export type RoomVerdict = z.infer<typeof RoomVerdict>;

const ExaminedRoom = z.object({
  room: RoomToken,
  verdict: RoomVerdict,
  /** The bot's features as Talk 25 and later tell; null where it does not. */
  features: z.object({ response: z.boolean() }).nullable(),
});

const ExaminedBot = z.object({
  bot: BotSlug,
  instance: InstanceId,
  /** Webhooks since this talk-ingress has been running: with a right signature, and with a wrong one since the last right. */
  webhooks: z.object({ verified: z.number().int(), wrongInARow: z.number().int() }),
  rooms: z.array(ExaminedRoom).max(10),
});
export type ExaminedBot = z.infer<typeof ExaminedBot>;

export const ExamineTalkReply = z.object({ v: z.literal(1), bots: z.array(ExaminedBot).max(1_000) });
export type ExamineTalkReply = z.infer<typeof ExamineTalkReply>;

/** Do the bots' secrets fit in both directions? Asked by the doctor. */
export const ExamineTalk = defineRequest({
  name: 'talk.examine.v1',
  subject: 'talk.examine',
  request: ExamineTalkRequest,
  reply: ExamineTalkReply,
  timeoutMs: 30_000,
});
