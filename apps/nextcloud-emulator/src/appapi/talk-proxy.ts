import { timingSafeEqual } from 'node:crypto';
import { headerOf } from '../http/exchange';
import { phpJson } from '../http/php-json';
import { OcsFailure } from '../ocs/ocs-call';
import type { OcsAnswer, OcsCall } from '../ocs/ocs-call';
import { talkSignature } from '../talk/sign-webhook';
import { callExApp, exAppHeaders } from './call-ex-app';
import { talkBotOf } from './talk-bots';

/** AppAPI's own patience with an app, shorter than Talk's with a bot. */
const EX_APP_TIMEOUT_MS = 3_000;

/**
 * Where Talk delivers to the bot of an app. The signature ends here: the app gets the parameters encoded anew, with
 * AppAPI's headers and without Talk's. What it answers is dropped, unless it does not answer at all.
 */
export async function proxyToTalkBot(call: OcsCall): Promise<OcsAnswer> {
  const { emulation, exchange, path, parameters } = call;
  const { exApp } = emulation.world;
  const { appId = '', route = '' } = path;
  const bot = exApp?.enabled && exApp.id === appId ? talkBotOf(emulation.world, exApp, route) : undefined;
  const body = await exchange.readBody();
  if (!exApp || !bot || !isSigned(call, bot.secret, body)) throw new OcsFailure(404);
  const headers = exAppHeaders(emulation, exApp);
  const encoded = phpJson({ appId, route, _route: 'ocs.app_api.TalkBot.proxyTalkMessage', ...parameters });
  const target = { method: 'POST', path: `/${route}`, timeoutMs: EX_APP_TIMEOUT_MS, body: encoded } as const;
  const record = emulation.webhooks.add(`${exApp.url}/${route}`, headers, encoded);
  const begin = performance.now();
  try {
    record.status = (await callExApp(emulation, exApp, target, headers)).status;
  } catch {
    throw new OcsFailure(500, 'The app did not answer');
  } finally {
    record.ms = Math.round(performance.now() - begin);
  }
  return { status: 200, data: [] };
}

function isSigned({ exchange }: OcsCall, secret: string, body: Buffer): boolean {
  const random = headerOf(exchange, 'x-nextcloud-talk-random');
  const given = Buffer.from(headerOf(exchange, 'x-nextcloud-talk-signature').toLowerCase());
  const right = Buffer.from(talkSignature(secret, random, body));
  return given.length === right.length && timingSafeEqual(given, right);
}
