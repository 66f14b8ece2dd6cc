import { createHash } from 'node:crypto';
import type { Actor, Bot, Member, Room, World } from './world';

/** Splits `type/id` at the first slash only; a name without a slash is a local user. */
export function parseActor(text: string): Actor {
  const slash = text.indexOf('/');
  return slash < 0 ? { type: 'users', id: text } : { type: text.slice(0, slash), id: text.slice(slash + 1) };
}

export function formatActor(actor: Actor): string {
  return `${actor.type}/${actor.id}`;
}

export function sameActor(a: Actor, b: Actor): boolean {
  return a.type === b.type && a.id === b.id;
}

/** A bot's actor follows its URL: another URL is another actor. */
export function botActor(bot: Bot): Actor {
  return { type: 'bots', id: `bot-${createHash('sha1').update(bot.url).digest('hex')}` };
}

/** The name people see: of a bot with Talk's suffix. */
export function shownName(actor: Actor, name: string): string {
  return actor.type === 'bots' ? `${name} (Bot)` : name;
}

export function memberOf(room: Room, actor: Actor): Member | undefined {
  return room.members.find((member) => sameActor(member.actor, actor));
}

export function isModerator(member: Member): boolean {
  return member.participantType === 1 || member.participantType === 2 || member.participantType === 6;
}

/** The enabled bots that are set up in the room, in the order in which they were installed. */
export function botsOf(world: World, room: Room): Bot[] {
  return world.bots.filter((bot) => bot.state !== 0 && room.botIds.has(bot.id));
}

/** Nextcloud does not distinguish the case of user ids when it looks somebody up. */
export function findUserIgnoringCase(world: World, id: string) {
  const exact = world.users.get(id);
  if (exact) return exact;
  const folded = id.toLowerCase();
  return [...world.users.values()].find((user) => user.id.toLowerCase() === folded);
}
