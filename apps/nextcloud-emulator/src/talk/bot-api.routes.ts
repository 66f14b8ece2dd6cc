import { timingSafeEqual } from 'node:crypto';
import { MAX_MESSAGE_LENGTH } from '../ocs/capabilities';
import { headerOf } from '../http/exchange';
import type { Emulation } from '../emulation';
import { flagParameter, numberParameter, OcsFailure, textParameter } from '../ocs/ocs-call';
import type { OcsCall, OcsRouter } from '../ocs/ocs-call';
import { botActor, botsOf } from '../world/actors';
import { findMessage } from '../world/messages';
import { BOT_FEATURES } from '../world/world';
import type { Bot, Message, Room } from '../world/world';
import { isSingleEmoji } from './single-emoji';
import { talkSignature } from './sign-webhook';
import { talkEra } from './talk-era';
import { react, say, unreact } from './talk-events';

const BASE = '/apps/spreed/api/v1/bot';

/** What bots call. Nobody logs in here: the signature over one value says which bot it is. */
export function addBotApiRoutes(router: OcsRouter): void {
  router.on('POST', `${BASE}/ask-features`, { access: 'public', handle: askFeatures });
  router.on('POST', `${BASE}/{token}/message`, { access: 'public', handle: sendMessage });
  router.on('POST', `${BASE}/{token}/reaction/{messageId}`, { access: 'public', handle: addReaction });
  router.on('DELETE', `${BASE}/{token}/reaction/{messageId}`, { access: 'public', handle: deleteReaction });
}

const refusal = (status: number) => new OcsFailure(status, '', null);

async function sendMessage(call: OcsCall) {
  demandTalk(call);
  refuseBlocked(call);
  const text = textParameter(call, 'message');
  if (text.trim() === '') throw refusal(400);
  const { room, bot } = identifyBot(call, text);
  const replyTo = numberParameter(call, 'replyTo');
  if (replyTo !== 0 && !findMessage(room, replyTo)) throw refusal(400);
  if ([...text].length > MAX_MESSAGE_LENGTH) throw refusal(413);
  const threadId = talkEra(call.emulation.world.versions).botThreads ? numberParameter(call, 'threadId') : 0;
  await say(call.emulation, room, {
    actor: botActor(bot),
    actorName: bot.name,
    text: text.trim(),
    parentId: replyTo === 0 ? null : replyTo,
    ...(threadId > 0 && { threadId }),
    referenceId: textParameter(call, 'referenceId').slice(0, 64),
    silent: flagParameter(call, 'silent'),
  });
  return { status: 201, data: null };
}

async function addReaction(call: OcsCall) {
  demandTalk(call);
  refuseBlocked(call);
  const emoji = textParameter(call, 'reaction');
  const { room, bot } = identifyBot(call, emoji);
  const message = findInWorld(call.emulation, Number(call.path['messageId']));
  if (!message) throw refusal(404);
  const reactable = room.messages.includes(message) && message.systemMessage === '' && !message.deleted;
  if (!reactable || !isSingleEmoji(emoji)) throw refusal(400);
  const added = await react(call.emulation, room, message, reactorOf(bot), emoji);
  return { status: added ? 201 : 200, data: null };
}

async function deleteReaction(call: OcsCall) {
  demandTalk(call);
  refuseBlocked(call);
  const emoji = textParameter(call, 'reaction');
  const { room, bot } = identifyBot(call, emoji);
  const message = findMessage(room, Number(call.path['messageId']));
  if (!message || !(await unreact(call.emulation, room, message, reactorOf(bot), emoji))) throw refusal(404);
  return { status: 200, data: null };
}

function askFeatures(call: OcsCall) {
  demandTalk(call);
  if (!talkEra(call.emulation.world.versions).askFeatures) throw new OcsFailure(404, '', [], 998);
  refuseBlocked(call);
  const token = textParameter(call, 'token');
  const { bot } = identifyBot(call, token, token, () => true);
  const features = [...bot.features].reduce((bits, feature) => bits | BOT_FEATURES[feature], 0);
  return { status: 200, data: { features } };
}

function demandTalk(call: OcsCall): void {
  const token = call.path['token'];
  const fits = token === undefined || /^[a-z0-9]{4,30}$/.test(token);
  if (!fits || !call.emulation.world.versions.apps.has('spreed')) throw new OcsFailure(404, '', [], 998);
}

function refuseBlocked(call: OcsCall): void {
  const { emulation, exchange } = call;
  if (emulation.botFailures.isBlocked(exchange.remoteAddress, emulation.now())) throw refusal(429);
}

/** Tries the secret of each bot of the room until one fits; a miss says the same whatever the reason, and counts. */
function identifyBot(
  call: OcsCall,
  signed: string,
  token = call.path['token'] ?? '',
  mayCall = (bot: Bot) => bot.features.has('response'),
): { room: Room; bot: Bot } {
  const { emulation, exchange } = call;
  const random = headerOf(exchange, 'x-nextcloud-talk-bot-random');
  const signature = headerOf(exchange, 'x-nextcloud-talk-bot-signature').toLowerCase();
  if (random.length < 32 || signature === '') throw refusal(400);
  const room = emulation.world.rooms.get(token);
  const bot =
    room &&
    botsOf(emulation.world, room).find(
      (one) => mayCall(one) && sameText(talkSignature(one.secret, random, signed), signature),
    );
  if (room && bot) return { room, bot };
  emulation.botFailures.count(exchange.remoteAddress, emulation.now());
  throw refusal(401);
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function reactorOf(bot: Bot) {
  return { actor: botActor(bot), name: bot.name };
}

function findInWorld(emulation: Emulation, id: number): Message | undefined {
  for (const room of emulation.world.rooms.values()) {
    const message = findMessage(room, id);
    if (message) return message;
  }
  return undefined;
}
