import { createHash, randomBytes } from 'node:crypto';
import type { Bot, ExApp, World } from '../world/world';

/** 64 characters, as AppAPI makes them. */
const newSecret = (): string => randomBytes(32).toString('hex');

export interface TalkBotToRegister {
  readonly name: string;
  /** Path in the app, e.g. `/talk_bot`. */
  readonly route: string;
  readonly description: string;
}

const routeKey = (route: string): string => route.replace(/^\/+/, '');

/** Makes a Talk bot whose messages come to the app through Nextcloud; a known one gets name and description anew. */
export function registerTalkBot(
  world: World,
  exApp: ExApp,
  publicUrl: string,
  { name, route, description }: TalkBotToRegister,
): Bot {
  const known = talkBotOf(world, exApp, route);
  if (known) return Object.assign(known, { name, description });
  const key = routeKey(route);
  const bot: Bot = {
    id: Math.max(0, ...world.bots.map(({ id }) => id)) + 1,
    name,
    description,
    secret: newSecret(),
    url: `${publicUrl}/ocs/v2.php/apps/app_api/api/v1/talk_proxy/${exApp.id}/${key}`,
    // AppAPI names no features, so Talk's own default holds: no reactions.
    features: new Set(['webhook', 'response']),
    state: 1,
    errorCount: 0,
    lastErrorAt: null,
    lastErrorMessage: null,
  };
  world.bots.push(bot);
  exApp.talkBots.set(key, bot.id);
  return bot;
}

export function talkBotOf(world: World, exApp: ExApp, route: string): Bot | undefined {
  const id = exApp.talkBots.get(routeKey(route));
  return world.bots.find((bot) => bot.id === id);
}

/** AppAPI's own name of the registration; neither Talk's id nor its actor. */
export function registrationId(exApp: ExApp, route: string): string {
  return createHash('sha1')
    .update(`${exApp.id}_${routeKey(route)}`)
    .digest('hex');
}

/** Removes the bot from every room; nobody is told. False when there was none. */
export function unregisterTalkBot(world: World, exApp: ExApp, route: string): boolean {
  const bot = talkBotOf(world, exApp, route);
  if (!bot) return false;
  world.bots.splice(world.bots.indexOf(bot), 1);
  for (const room of world.rooms.values()) room.botIds.delete(bot.id);
  exApp.talkBots.delete(routeKey(route));
  return true;
}

export function unregisterAllTalkBots(world: World, exApp: ExApp): void {
  for (const route of [...exApp.talkBots.keys()]) unregisterTalkBot(world, exApp, route);
}

/** Gives the app's Talk bots other secrets, as a backup that was played back would. */
export function renewTalkBotSecrets(world: World, exApp: ExApp): void {
  for (const route of exApp.talkBots.keys()) {
    const bot = talkBotOf(world, exApp, route);
    if (bot) bot.secret = newSecret();
  }
}
