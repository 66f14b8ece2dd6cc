import { z } from 'zod';
import { defineRequest } from '../bus/define-message';
import { BotSlug, InstanceId, MessageId, RoomToken } from '../ids';

const PostedMessage = z.object({
  type: z.literal('message'),
  /** Markdown of any length; talk-ingress splits it below Talk's limit. */
  text: z.string().min(1).max(200_000),
  /** Quotes that message. */
  replyTo: MessageId.optional(),
  /** Nobody is notified. */
  silent: z.boolean().optional(),
});

const PostedReaction = z.object({
  type: z.enum(['reaction_add', 'reaction_remove']),
  messageId: MessageId,
  /** One emoji; removal needs the same bytes as the addition. */
  reaction: z.string().min(1).max(64),
});

export const PostToRoomRequest = z.object({
  v: z.literal(1),
  /** Idempotency key: the same key is stored once, whatever happens to the answer. */
  key: z.string().min(1).max(200),
  instance: InstanceId,
  bot: BotSlug,
  room: RoomToken,
  post: z.discriminatedUnion('type', [PostedMessage, PostedReaction]),
});
export type PostToRoomRequest = z.infer<typeof PostToRoomRequest>;

/** Sent after the post stands in the outbox: from then on it is delivered, in order, whatever dies. */
export const PostToRoomReply = z.object({
  v: z.literal(1),
  /** True when the key was known already. */
  duplicate: z.boolean(),
  /** Talk messages the post was split into. */
  parts: z.number().int().min(1),
});
export type PostToRoomReply = z.infer<typeof PostToRoomReply>;

/** Puts a message or a reaction into the outbox of a room. */
export const PostToRoom = defineRequest({
  name: 'talk.post.v1',
  subject: 'talk.post',
  request: PostToRoomRequest,
  reply: PostToRoomReply,
  timeoutMs: 5_000,
});
