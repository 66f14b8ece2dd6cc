import { createHmac } from 'node:crypto';
import { BOT_SECRET } from './worlds';

const TALK = '/ocs/v2.php/apps/spreed/api';
export const ROOM = 'x7k2m9pq';

/** The calls that tests make of an emulator at `base`, written out by hand: no client of ours is involved. */
export function callsTo(base: () => string) {
  const json = { 'Content-Type': 'application/json', Accept: 'application/json' };
  const send = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
    fetch(`${base()}${path}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });

  return {
    control: (method: string, path: string, body?: unknown) => send(method, `/_emulator${path}`, json, body),

    /** A user through Basic authentication; the password is the id and `-password`. */
    asUser: (user: string, method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
      send(
        method,
        path,
        { ...json, 'OCS-APIRequest': 'true', ...basic(user, `${user}-password`), ...more },
        body,
      ),

    talkAs: (user: string, method: string, path: string, body?: unknown) =>
      send(
        method,
        `${TALK}${path}`,
        { ...json, 'OCS-APIRequest': 'true', ...basic(user, `${user}-password`) },
        body,
      ),

    /** A bot; `signed` is the value over which it signs. */
    asBot: (method: string, path: string, body: unknown, signed: string, options: BotOptions = {}) =>
      send(
        method,
        `${TALK}/v1/bot/${path}`,
        { ...json, 'OCS-APIRequest': 'true', ...botHeaders(signed, options) },
        body,
      ),
  };
}

export interface BotOptions {
  readonly secret?: string;
  readonly random?: string;
  readonly headers?: Record<string, string>;
}

function botHeaders(signed: string, { secret = BOT_SECRET, random = 'r'.repeat(32), headers }: BotOptions) {
  const signature = createHmac('sha256', secret).update(random).update(signed).digest('hex');
  return { 'X-Nextcloud-Talk-Bot-Random': random, 'X-Nextcloud-Talk-Bot-Signature': signature, ...headers };
}

export function basic(user: string, password: string): Record<string, string> {
  return { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

export function exApp(user: string, secret = 'app-secret'): Record<string, string> {
  return {
    'EX-APP-ID': 'nuqloud_ai',
    'EX-APP-VERSION': '1.0.0',
    'AUTHORIZATION-APP-API': Buffer.from(`${user}:${secret}`).toString('base64'),
  };
}

/** `ocs.data` of an answer. */
export async function dataOf<T>(response: Response): Promise<T> {
  return ((await response.json()) as { ocs: { data: T } }).ocs.data;
}
