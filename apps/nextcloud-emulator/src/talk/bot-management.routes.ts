import { createHash } from 'node:crypto';
import { OcsFailure } from '../ocs/ocs-call';
import type { OcsCall, OcsRouter } from '../ocs/ocs-call';
import { BOT_FEATURES } from '../world/world';
import type { Bot, Room } from '../world/world';
import { demandModerator, participate } from './participant';
import { removeBot, setUpBot } from './talk-events';

const BOT = '/apps/spreed/api/v1/bot';

/** What moderators and administrators do with bots. */
export function addBotManagementRoutes(router: OcsRouter): void {
  router.on('GET', `${BOT}/admin`, { access: 'admin', handle: listAllBots });
  router.on('GET', `${BOT}/{token}`, { handle: listBots });
  router.on('POST', `${BOT}/{token}/{botId}`, { handle: addToRoom });
  router.on('DELETE', `${BOT}/{token}/{botId}`, { handle: removeFromRoom });
}

function listAllBots({ emulation }: OcsCall) {
  const data = emulation.world.bots.map((bot) => ({
    ...publicData(bot),
    url: bot.url,
    url_hash: createHash('sha1').update(bot.url).digest('hex'),
    error_count: bot.errorCount,
    last_error_date: bot.lastErrorAt === null ? 0 : Math.floor(bot.lastErrorAt / 1000),
    last_error_message: bot.lastErrorMessage,
    features: [...bot.features].reduce((bits, feature) => bits | BOT_FEATURES[feature], 0),
  }));
  return { status: 200, data };
}

/** Bots that moderators cannot set up are shown only where they are. */
function listBots(call: OcsCall) {
  const room = moderatedRoom(call);
  const shown = call.emulation.world.bots.filter((bot) => bot.state === 1 || room.botIds.has(bot.id));
  const data = shown.map((bot) => ({ ...publicData(bot), state: room.botIds.has(bot.id) ? bot.state : 0 }));
  return { status: 200, data };
}

async function addToRoom(call: OcsCall) {
  const room = moderatedRoom(call);
  if (room.type === 'former') throw new OcsFailure(400, '', { error: 'room' });
  const bot = manageableBot(call);
  const added = await setUpBot(call.emulation, room, bot);
  return { status: added ? 201 : 200, data: publicData(bot) };
}

async function removeFromRoom(call: OcsCall) {
  const room = moderatedRoom(call);
  const bot = manageableBot(call);
  await removeBot(call.emulation, room, bot);
  return { status: 200, data: { ...publicData(bot), state: 0 } };
}

function moderatedRoom(call: OcsCall): Room {
  const participation = participate(call);
  demandModerator(participation);
  return participation.room;
}

function manageableBot(call: OcsCall): Bot {
  const bot = call.emulation.world.bots.find((one) => one.id === Number(call.path['botId']));
  if (bot?.state !== 1) throw new OcsFailure(400, '', { error: 'bot' });
  return bot;
}

function publicData(bot: Bot) {
  return { id: bot.id, name: bot.name, description: bot.description, state: bot.state };
}
