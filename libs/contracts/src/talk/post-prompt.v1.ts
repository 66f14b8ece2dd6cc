import { z } from 'zod';
import { defineRequest } from '../bus/define-message';
import { BotSlug, InstanceId, MessageId, RoomToken } from '../ids';
import { PostToRoomReply } from './post-to-room.v1';

/** The outbox keys of prompts begin so; a post of anybody else with such a key is refused. */
export const PROMPT_KEY_PREFIX = 'confirm:';

export const PostPromptRequest = z.object({
  v: z.literal(1),
  confirmation: z.uuid(),
  /** The prompt itself, or a line about it (the code again, a hint, that it expired), which counts as nothing else. */
  part: z.enum(['prompt', 'code', 'hint', 'expired']),
  instance: InstanceId,
  bot: BotSlug,
  room: RoomToken,
  text: z.string().min(1).max(32_000),
  replyTo: MessageId.optional(),
  /** The message that caused a further line; with it the same line is posted once per cause. */
  cause: MessageId.optional(),
});
export type PostPromptRequest = z.infer<typeof PostPromptRequest>;

/** Only `confirmation` may ask for this: nobody else can post what counts as a prompt. */
export const PostPrompt = defineRequest({
  name: 'talk.prompt.v1',
  subject: 'talk.prompt',
  request: PostPromptRequest,
  reply: PostToRoomReply,
  timeoutMs: 5_000,
});

export const PromptFateReply = z.object({
  v: z.literal(1),
  state: z.enum(['waiting', 'posted', 'failed', 'unknown']),
  /**
   * Since when it may stand in the room: when the first try to post the last part of it began which Talk has not refused,
   * in milliseconds of the clock by which messages are attested; else null. Talk shows a message before it answers the
   * bot, so that a prompt can be read, and answered, before Talk is known to have taken it.
   */
  triedAt: z.iso.datetime().nullable(),
  /** When Talk took the last part of it, in milliseconds of the clock by which messages are attested; else null. */
  postedAt: z.iso.datetime().nullable(),
  /** Whether any of our bots has posted, or may have posted, a message in that room since that is not about this prompt. */
  othersSince: z.boolean(),
});
export type PromptFateReply = z.infer<typeof PromptFateReply>;

export const PromptFateRequest = z.object({
  v: z.literal(1),
  confirmation: z.uuid(),
  instance: InstanceId,
  bot: BotSlug,
  room: RoomToken,
});
export type PromptFateRequest = z.infer<typeof PromptFateRequest>;

/** What became of a prompt, and what a reader has seen below it since. */
export const PromptFate = defineRequest({
  name: 'talk.prompt-fate.v1',
  subject: 'talk.prompt-fate',
  request: PromptFateRequest,
  reply: PromptFateReply,
  timeoutMs: 5_000,
});
