import { z } from 'zod';
import { defineStream } from '../bus/define-message';
import { Actor, BotSlug, InstanceId, MessageId, RoomToken } from '../ids';
import { Attestation } from './attestation';

export const CHAT_STREAM = 'CHAT';

/** A file shared in the room; its content is read as the writer, by id. */
export const Attachment = z.object({
  fileId: z.string().min(1).max(64),
  name: z.string().max(1024),
  mimetype: z.string().max(255),
  /** Bytes, or null where Talk does not say. */
  size: z.number().int().nonnegative().nullable(),
});
export type Attachment = z.infer<typeof Attachment>;

/** Somebody or something mentioned with `@`, as Talk resolved it. */
export const Mention = z.object({
  type: z.string().max(64),
  id: z.string().max(1024),
  name: z.string().max(1024),
});
export type Mention = z.infer<typeof Mention>;

/** The message that was answered with Talk's "reply". */
export const RepliedMessage = z.object({
  messageId: MessageId,
  /** `name` as Talk sends it, without the suffix ` (Bot)` that it gives to bots. */
  actor: Actor.extend({ name: z.string().max(1024) }),
  text: z.string().max(32_000),
});
export type RepliedMessage = z.infer<typeof RepliedMessage>;

const Speaker = Actor.extend({
  /** Display name as Talk sends it; free text that proves nothing and may be empty. */
  name: z.string().max(1024),
  /** Owner or moderator of the room, where Talk says so (Talk 21 and later). */
  moderator: z.boolean(),
});

const base = {
  v: z.literal(1),
  instance: InstanceId,
  bot: BotSlug,
  room: RoomToken,
  roomName: z.string().max(1024),
  /** When talk-ingress received it, ISO 8601 in UTC. */
  receivedAt: z.iso.datetime(),
};

const spoken = {
  ...base,
  actor: Speaker,
  messageId: MessageId,
  thread: MessageId.optional(),
  /** Placeholders are substituted already; at most Talk's own limit of 32 000 characters, names included. */
  text: z.string().max(64_000),
  mentions: z.array(Mention).max(200),
  replyTo: RepliedMessage.optional(),
  /** EdDSA JWT, see AttestationClaims. */
  attestation: Attestation,
};

/** Somebody wrote a message. */
export const ChatMessage = z.object({ ...spoken, kind: z.literal('message') });
export type ChatMessage = z.infer<typeof ChatMessage>;

/** One message per file; `text` is the caption or empty. */
export const ChatAttachment = z.object({
  ...spoken,
  kind: z.literal('attachment'),
  attachments: z.array(Attachment).min(1).max(20),
});
export type ChatAttachment = z.infer<typeof ChatAttachment>;

/** Somebody reacted to a message, or took that back. */
export const ChatReaction = z.object({
  ...base,
  kind: z.enum(['reaction_added', 'reaction_removed']),
  actor: Speaker,
  /** The message reacted to. */
  messageId: MessageId,
  reaction: z.string().min(1).max(64),
  attestation: Attestation,
});
export type ChatReaction = z.infer<typeof ChatReaction>;

/** The bot was set up in, or removed from, a room. */
export const ChatMembership = z.object({
  ...base,
  kind: z.enum(['joined', 'left']),
  /** The random with which Talk signed it: Talk gives such an event no number, and it must count once for ever. */
  random: z.string().length(64),
});
export type ChatMembership = z.infer<typeof ChatMembership>;

/** A system message, named by Talk's untranslated identifier (`history_cleared`, `user_added` …). */
export const ChatSystem = z.object({
  ...base,
  kind: z.literal('system'),
  actor: Speaker,
  messageId: MessageId,
  name: z.string().max(128),
});
export type ChatSystem = z.infer<typeof ChatSystem>;

export const ChatEventBody = z.discriminatedUnion('kind', [
  ChatMessage,
  ChatAttachment,
  ChatReaction,
  ChatMembership,
  ChatSystem,
]);
export type ChatEventBody = z.infer<typeof ChatEventBody>;

/** Everything Talk tells a bot, in the order in which it arrived. */
export const ChatEvent = defineStream({
  name: 'chat.in.v1',
  stream: CHAT_STREAM,
  subject: 'chat.in.{instance}.{room}',
  body: ChatEventBody,
});
