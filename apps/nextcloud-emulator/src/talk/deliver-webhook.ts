import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Emulation } from '../emulation';
import type { Bot, BotFeature, Room } from '../world/world';
import { botsOf } from '../world/actors';
import { phpJson } from '../http/php-json';
import type { BotActivity } from './bot-activity';
import { webhookHeaders, webhookRandom } from './sign-webhook';
import type { WebhookRecord } from './webhook-log';

/** Delivers to each bot of the room with that feature, one after another; resolves when the last has answered. */
export async function deliverToRoom(
  emulation: Emulation,
  room: Room,
  activity: BotActivity,
  feature: BotFeature,
): Promise<void> {
  const bots = botsOf(emulation.world, room).filter((bot) => bot.features.has(feature));
  const body = Buffer.from(phpJson(activity));
  for (const bot of bots) await deliver(emulation, bot, body);
}

/** Signs and delivers one body to one bot. There is no second try; what fails only raises the bot's error count. */
export async function deliver(emulation: Emulation, bot: Bot, body: Buffer): Promise<void> {
  // A bot with the event feature is called inside PHP, and the other schemes name bots that are never called.
  if (bot.features.has('event') || !/^https?:/.test(bot.url)) return;
  const headers = webhookHeaders(bot.secret, `${emulation.publicUrl}/`, webhookRandom(), body);
  const record = emulation.webhooks.add(bot.url, headers, body.toString());
  const failure = await send(emulation, record, body);
  if (failure === null) return;
  bot.errorCount += 1;
  bot.lastErrorAt = emulation.now();
  bot.lastErrorMessage = failure;
}

/** Delivers the same bytes with the same headers again, as a replaying proxy or an attacker would. */
export async function replay(emulation: Emulation, original: WebhookRecord): Promise<WebhookRecord> {
  const record = emulation.webhooks.add(original.url, original.headers, original.body);
  await send(emulation, record, Buffer.from(original.body));
  return record;
}

/** Sends what the record says and writes the outcome into it; null when the bot answered 200 or 202. */
async function send(emulation: Emulation, record: WebhookRecord, body: Buffer): Promise<string | null> {
  const begin = performance.now();
  try {
    record.status = await post(emulation, record, body);
    return record.status === 200 || record.status === 202 ? null : `UnexpectedStatusCode: ${record.status}`;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } finally {
    record.ms = Math.round(performance.now() - begin);
  }
}

/** A fresh connection each time, as PHP makes one; redirects are not followed. */
function post(emulation: Emulation, { url, headers }: WebhookRecord, body: Buffer): Promise<number> {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method: 'POST', agent: false, headers: { ...headers, 'Content-Length': body.length } },
      (response) => {
        response.on('end', () => resolve(response.statusCode ?? 0)).on('error', reject);
        response.resume();
      },
    );
    const giveUp = () => outgoing.destroy(new Error('The bot did not answer in time'));
    const timer = setTimeout(giveUp, emulation.botTimeoutMs);
    emulation.closing.addEventListener('abort', giveUp);
    outgoing.on('error', reject).on('close', () => {
      clearTimeout(timer);
      emulation.closing.removeEventListener('abort', giveUp);
    });
    outgoing.end(body);
  });
}
