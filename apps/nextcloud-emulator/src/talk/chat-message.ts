import type { Emulation } from '../emulation';
import { shownName } from '../world/actors';
import { findMessage } from '../world/messages';
import type { Message, Reaction, Room } from '../world/world';
import { orEmptyList, renderMessage } from './render-message';
import { talkEra } from './talk-era';

/** A message as the chat API gives it to that user. Ids are numbers here, strings in webhooks. */
export function chatMessage(
  emulation: Emulation,
  room: Room,
  message: Message,
  uid: string,
): Record<string, unknown> {
  const parent = message.parentId === null ? undefined : findMessage(room, message.parentId);
  return {
    ...withoutParent(emulation, room, message, uid),
    ...(parent && {
      parent: parent.deleted ? { id: parent.id, deleted: true } : withoutParent(emulation, room, parent, uid),
    }),
  };
}

function withoutParent(
  emulation: Emulation,
  room: Room,
  message: Message,
  uid: string,
): Record<string, unknown> {
  const rendered = renderMessage(emulation.world, room, message, { uid, baseUrl: emulation.publicUrl });
  const own = message.reactions.filter(({ actor }) => actor.type === 'users' && actor.id === uid);
  return {
    id: message.id,
    token: room.token,
    actorType: message.actor.type,
    actorId: message.actor.id,
    actorDisplayName: shownName(message.actor, message.actorName),
    timestamp: message.timestamp,
    message: rendered.message,
    messageParameters: orEmptyList(rendered.parameters),
    systemMessage: message.systemMessage,
    messageType: typeOf(message),
    isReplyable: message.systemMessage === '' && !message.deleted,
    referenceId: message.referenceId,
    reactions: countByEmoji(message.reactions),
    expirationTimestamp: 0,
    markdown: message.systemMessage === '',
    ...(own.length > 0 && { reactionsSelf: own.map(({ emoji }) => emoji) }),
    ...(message.edit && lastEdit(message.edit)),
    ...(message.silent && { silent: true }),
    ...(message.deleted && { deleted: true }),
    ...(talkEra(emulation.world.versions).threads && threadFields(room, message)),
  };
}

function typeOf(message: Message): string {
  if (message.deleted) return 'comment_deleted';
  return message.systemMessage === '' ? 'comment' : 'system';
}

/** Outside a thread the id is that of the message at the root of the replies. */
function threadFields(room: Room, message: Message) {
  return message.threadId === null
    ? { threadId: rootOf(room, message).id }
    : { threadId: message.threadId, isThread: true };
}

function rootOf(room: Room, message: Message): Message {
  const parent = message.parentId === null ? undefined : findMessage(room, message.parentId);
  return parent ? rootOf(room, parent) : message;
}

function lastEdit(edit: NonNullable<Message['edit']>) {
  return {
    lastEditActorType: edit.actor.type,
    lastEditActorId: edit.actor.id,
    lastEditActorDisplayName: shownName(edit.actor, edit.actorName),
    lastEditTimestamp: edit.at,
  };
}

export function countByEmoji(reactions: readonly Reaction[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { emoji } of reactions) counts[emoji] = (counts[emoji] ?? 0) + 1;
  return counts;
}

/** Who reacted how: `{"👍": [{actorType, actorId, actorDisplayName, timestamp}]}`. */
export function reactionsByEmoji(message: Message): Record<string, unknown[]> {
  const byEmoji: Record<string, unknown[]> = {};
  for (const { emoji, actor, actorName, at } of message.reactions) {
    (byEmoji[emoji] ??= []).push({
      actorType: actor.type,
      actorId: actor.id,
      actorDisplayName: shownName(actor, actorName),
      timestamp: at,
    });
  }
  return byEmoji;
}
