import { memberOf, sameActor } from './actors';
import type { Actor, Member, Message, Room, SharedFile, World } from './world';

export interface MessageDraft {
  readonly actor: Actor;
  readonly actorName: string;
  readonly text: string;
  readonly systemMessage?: string;
  readonly file?: SharedFile | null;
  readonly parentId?: number | null;
  readonly threadId?: number;
  readonly referenceId?: string;
  readonly silent?: boolean;
}

export function findMessage(room: Room, id: number): Message | undefined {
  return room.messages.findLast((message) => message.id === id);
}

/** Writes a message into the room's history; `now` in milliseconds. */
export function addMessage(world: World, room: Room, draft: MessageDraft, now: number): Message {
  const id = ++world.lastMessageId;
  const parent = draft.parentId ? findMessage(room, draft.parentId) : undefined;
  const opening = draft.threadId === undefined ? undefined : findMessage(room, draft.threadId);
  if (opening) opening.threadId ??= opening.id;
  const message: Message = {
    id,
    actor: draft.actor,
    actorName: draft.actorName,
    timestamp: Math.floor(now / 1000),
    text: draft.text,
    systemMessage: draft.systemMessage ?? '',
    file: draft.file ?? null,
    parentId: parent?.id ?? null,
    threadId: draft.threadId ?? parent?.threadId ?? null,
    referenceId: draft.referenceId ?? '',
    silent: draft.silent ?? false,
    reactions: [],
    edit: null,
    deleted: false,
  };
  room.messages.push(message);
  return message;
}

/** Adds a system message that tells what `by` did to `parent`. */
function addTrace(
  world: World,
  room: Room,
  by: Member,
  name: string,
  text: string,
  parent: Message,
  now: number,
) {
  return addMessage(
    world,
    room,
    { actor: by.actor, actorName: by.displayName, text, systemMessage: name, parentId: parent.id },
    now,
  );
}

/** Replaces the text and returns the system message `message_edited`. */
export function editMessage(
  world: World,
  room: Room,
  message: Message,
  by: Member,
  text: string,
  now: number,
): Message {
  message.text = text;
  message.edit = { actor: by.actor, actorName: by.displayName, at: Math.floor(now / 1000) };
  return addTrace(world, room, by, 'message_edited', '{actor} edited a message', message, now);
}

/** Empties the message and returns the system message `message_deleted`. */
export function deleteMessage(world: World, room: Room, message: Message, by: Member, now: number): Message {
  message.text = '';
  message.deleted = true;
  message.reactions.length = 0;
  return addTrace(world, room, by, 'message_deleted', '{actor} deleted a message', message, now);
}

/** Adds a reaction; false when that actor already has it. The history keeps it as an entry of its own. */
export function addReaction(
  world: World,
  room: Room,
  message: Message,
  by: { actor: Actor; name: string },
  emoji: string,
  now: number,
): boolean {
  if (message.reactions.some((one) => one.emoji === emoji && sameActor(one.actor, by.actor))) return false;
  const entry = addMessage(
    world,
    room,
    { actor: by.actor, actorName: by.name, text: emoji, systemMessage: 'reaction', parentId: message.id },
    now,
  );
  message.reactions.push({
    emoji,
    actor: by.actor,
    actorName: by.name,
    at: Math.floor(now / 1000),
    entryId: entry.id,
  });
  return true;
}

/** Removes a reaction and returns the system message `reaction_revoked`; null when there was none. */
export function removeReaction(
  world: World,
  room: Room,
  message: Message,
  by: { actor: Actor; name: string },
  emoji: string,
  now: number,
): Message | null {
  const at = message.reactions.findIndex((one) => one.emoji === emoji && sameActor(one.actor, by.actor));
  const reaction = message.reactions[at];
  if (!reaction) return null;
  message.reactions.splice(at, 1);
  const entry = findMessage(room, reaction.entryId);
  if (entry) entry.systemMessage = 'reaction_deleted';
  return addMessage(
    world,
    room,
    {
      actor: by.actor,
      actorName: by.name,
      text: '{actor} deleted a reaction',
      systemMessage: 'reaction_revoked',
      parentId: message.id,
    },
    now,
  );
}

/**
 * Lets somebody without an account into the room: guests, federated users and bridged writers come and go, local
 * users have to be members already. Returns undefined for a local user who is not a member.
 */
export function admit(room: Room, actor: Actor, name: string | undefined): Member | undefined {
  const known = memberOf(room, actor);
  if (known) {
    if (name !== undefined && actor.type !== 'users') known.displayName = name;
    return known;
  }
  // Talk shows what a bridge brings in as this pseudo user, with the remote name.
  const bridged = actor.type === 'users' && actor.id === 'bridge-bot';
  if (actor.type === 'users' && !bridged) return undefined;
  const member: Member = {
    attendeeId: room.members.length + 1,
    actor,
    displayName: name ?? '',
    participantType: actor.type === 'federated_users' || bridged ? 3 : 4,
  };
  room.members.push(member);
  return member;
}
