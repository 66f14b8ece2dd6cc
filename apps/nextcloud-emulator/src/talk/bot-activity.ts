import { phpJson } from '../http/php-json';
import { botActor, formatActor, memberOf, shownName } from '../world/actors';
import { findMessage } from '../world/messages';
import type { Actor, Bot, Message, Room, World } from '../world/world';
import { orEmptyList, renderMessage } from './render-message';
import { talkEra } from './talk-era';
import type { TalkEra } from './talk-era';

/** A body for bots, its keys in Talk's order. */
export type BotActivity = Readonly<Record<string, unknown>>;

interface Stage {
  readonly world: World;
  readonly room: Room;
  readonly baseUrl: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const person = (actor: Actor, name: string) => ({ type: 'Person', id: formatActor(actor), name });

/** `Create` for a message, `Activity` for a file or a system message. */
export function messageActivity(stage: Stage, message: Message): BotActivity {
  const era = talkEra(stage.world.versions);
  if (message.systemMessage !== '' || message.file) return activity(stage, era, message);
  const member = memberOf(stage.room, message.actor);
  const participantType = String(member?.participantType ?? 3);
  const parent = message.parentId === null ? undefined : findMessage(stage.room, message.parentId);
  return {
    type: 'Create',
    actor: {
      ...person(message.actor, message.actorName),
      ...(era.repliesAndReactions && { talkParticipantType: participantType }),
    },
    object: {
      ...note(stage, message, 'message'),
      ...(era.repliesAndReactions && parent && { inReplyTo: inReplyTo(stage, parent) }),
      ...(era.botThreads && message.threadId !== null && { threadId: message.threadId }),
    },
    target: target(stage.room),
    ...published(stage, era),
  };
}

function activity(stage: Stage, era: TalkEra, message: Message): BotActivity {
  const name = message.systemMessage === '' ? era.fileShareName : message.systemMessage;
  return {
    type: 'Activity',
    actor: person(message.actor, shownName(message.actor, message.actorName)),
    object: note(stage, message, name),
    target: target(stage.room),
    ...published(stage, era),
  };
}

/** `Like`, or its `Undo`, for one reaction to a message. */
export function reactionActivity(
  stage: Stage,
  kind: 'Like' | 'Undo',
  message: Message,
  reactor: { actor: Actor; name: string },
  emoji: string,
): BotActivity {
  const era = talkEra(stage.world.versions);
  const author = person(message.actor, shownName(message.actor, message.actorName));
  const actor = era.reactionNamesAuthor
    ? author
    : person(reactor.actor, shownName(reactor.actor, reactor.name));
  const like = (by: BotActivity) => ({
    type: 'Like',
    actor: by,
    object: note(stage, message, ''),
    target: target(stage.room),
    content: emoji,
  });
  if (kind === 'Like') return { ...like(actor), ...published(stage, era) };
  // Where the reactor is named rightly, the Like inside still names the author of the message.
  return { type: 'Undo', actor, object: like(author), target: target(stage.room), ...published(stage, era) };
}

/** `Join` and `Leave` have no target: the room is their object. */
export function membershipActivity(stage: Stage, kind: 'Join' | 'Leave', bot: Bot): BotActivity {
  return {
    type: kind,
    actor: { type: 'Application', id: formatActor(botActor(bot)), name: bot.name },
    object: target(stage.room),
    ...published(stage, talkEra(stage.world.versions)),
  };
}

function note(stage: Stage, message: Message, name: string) {
  const rendered = renderMessage(stage.world, stage.room, message, { uid: null, baseUrl: stage.baseUrl });
  return {
    type: 'Note',
    id: String(message.id),
    name,
    content: phpJson({ message: rendered.message, parameters: orEmptyList(rendered.parameters) }),
    mediaType: 'text/markdown',
  };
}

function inReplyTo(stage: Stage, parent: Message) {
  return {
    type: 'Note',
    actor: person(parent.actor, shownName(parent.actor, parent.actorName)),
    object: note(stage, parent, 'message'),
  };
}

function target(room: Room) {
  return { type: 'Collection', id: room.token, name: rawName(room) };
}

/** The stored name; of a conversation of two the list of both ids as JSON. */
function rawName(room: Room): string {
  if (room.type !== 'one2one') return room.name;
  return JSON.stringify(room.members.map((member) => member.actor.id).sort());
}

function published(stage: Stage, era: TalkEra): { published?: string } {
  return era.published ? { published: new Date(stage.now).toISOString().replace(/\.\d+Z$/, '+00:00') } : {};
}
