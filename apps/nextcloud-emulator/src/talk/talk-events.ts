import type { Emulation } from '../emulation';
import { memberOf } from '../world/actors';
import { addMessage, addReaction, deleteMessage, editMessage, removeReaction } from '../world/messages';
import type { MessageDraft } from '../world/messages';
import type { Actor, Bot, Member, Message, Room } from '../world/world';
import { membershipActivity, messageActivity, reactionActivity } from './bot-activity';
import { deliver, deliverToRoom } from './deliver-webhook';
import { phpJson } from '../http/php-json';
import { talkEra } from './talk-era';

/**
 * What happens in rooms: each function changes the history and then tells the bots. The promise resolves when the
 * last bot has answered or timed out, which is how long the sender waits in Nextcloud.
 */

export interface Reactor {
  readonly actor: Actor;
  readonly name: string;
}

const stageOf = (emulation: Emulation, room: Room) => ({
  world: emulation.world,
  room,
  baseUrl: emulation.publicUrl,
  now: emulation.now(),
});

/** Writes a message; one by a member goes to the room's bots, one by a bot to none. */
export async function say(emulation: Emulation, room: Room, draft: MessageDraft): Promise<Message> {
  const message = addMessage(emulation.world, room, draft, emulation.now());
  emulation.history.emit(room.token);
  if (memberOf(room, message.actor)) await tell(emulation, room, message);
  return message;
}

export async function edit(emulation: Emulation, room: Room, message: Message, by: Member, text: string) {
  const trace = editMessage(emulation.world, room, message, by, text, emulation.now());
  emulation.history.emit(room.token);
  await tell(emulation, room, trace);
  return trace;
}

export async function remove(emulation: Emulation, room: Room, message: Message, by: Member) {
  const trace = deleteMessage(emulation.world, room, message, by, emulation.now());
  emulation.history.emit(room.token);
  await tell(emulation, room, trace);
  return trace;
}

/** False when the reaction was there already. Reactions of bots are told to bots too. */
export async function react(
  emulation: Emulation,
  room: Room,
  message: Message,
  by: Reactor,
  emoji: string,
): Promise<boolean> {
  if (!addReaction(emulation.world, room, message, by, emoji, emulation.now())) return false;
  emulation.history.emit(room.token);
  await tellReaction(emulation, room, 'Like', message, by, emoji);
  return true;
}

/** False when there was no such reaction. A removal is told twice: as a system message and as an `Undo`. */
export async function unreact(
  emulation: Emulation,
  room: Room,
  message: Message,
  by: Reactor,
  emoji: string,
): Promise<boolean> {
  const trace = removeReaction(emulation.world, room, message, by, emoji, emulation.now());
  if (!trace) return false;
  emulation.history.emit(room.token);
  await tell(emulation, room, trace);
  await tellReaction(emulation, room, 'Undo', message, by, emoji);
  return true;
}

/** Sets a bot up in a room; false when it was already. */
export async function setUpBot(emulation: Emulation, room: Room, bot: Bot): Promise<boolean> {
  if (room.botIds.has(bot.id)) return false;
  room.botIds.add(bot.id);
  await tellBot(emulation, room, bot, 'Join');
  return true;
}

export async function removeBot(emulation: Emulation, room: Room, bot: Bot): Promise<void> {
  if (room.botIds.delete(bot.id)) await tellBot(emulation, room, bot, 'Leave');
}

function tellBot(emulation: Emulation, room: Room, bot: Bot, kind: 'Join' | 'Leave'): Promise<void> {
  const activity = membershipActivity(stageOf(emulation, room), kind, bot);
  return deliver(emulation, bot, Buffer.from(phpJson(activity)));
}

function tell(emulation: Emulation, room: Room, message: Message): Promise<void> {
  return deliverToRoom(emulation, room, messageActivity(stageOf(emulation, room), message), 'webhook');
}

async function tellReaction(
  emulation: Emulation,
  room: Room,
  kind: 'Like' | 'Undo',
  message: Message,
  by: Reactor,
  emoji: string,
): Promise<void> {
  if (!talkEra(emulation.world.versions).repliesAndReactions) return;
  const activity = reactionActivity(stageOf(emulation, room), kind, message, by, emoji);
  await deliverToRoom(emulation, room, activity, 'reaction');
}
