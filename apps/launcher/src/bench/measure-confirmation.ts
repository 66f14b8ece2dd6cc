import { setTimeout as sleep } from 'node:timers/promises';
import { readDemoTeam } from '@nuqloud/nextcloud-emulator';
import type { Demo } from '../demo/start-demo';
import { ChatDoor, isEndOfWork, isMessage } from './chat-door';
import type { NextcloudRequest } from './chat-door';
import { percentile, rounded } from './measure';
import type { Figure } from './measure';

const DELETIONS = 100;
/** A service has run for a while before most people write to it: the compiler has to be through. */
const WARM_UP = 100;
/** Nobody answers at once: what Talk tells of the bot's own reactions is dealt with by then. */
const READING_MS = 100;

/**
 * One deletion after another, each asked for, confirmed and done: from the webhook with the "yes" to the arrival of the
 * receipt's POST, without the time during which Nextcloud had a request in hand that the deed waits for (looking,
 * deleting, looking into the trash; the sign of work is given beside it).
 */
export const measureConfirmation = async (demo: Demo): Promise<Figure[]> => {
  const door = new ChatDoor(demo);
  await dav(demo, 'MKCOL', '/files/alice/Bench');
  const whole: number[] = [];
  const own: number[] = [];
  let seen = await door.lastRequest();
  /** @returns when the bot posted its answer, in milliseconds since the epoch */
  const answered = async (text: string): Promise<number> => {
    await door.deliver(text);
    const answer = await door.requestAfter(seen, isMessage);
    // By then Talk's answer to the post is recorded, and the next message finds nothing in its way.
    seen = (await door.requestAfter(answer.n, isEndOfWork)).n;
    return Date.parse(answer.at);
  };
  for (let i = 0; i < DELETIONS + WARM_UP; i += 1) {
    const file = `/files/alice/Bench/${i}.md`;
    // What lies in the trash is looked through, and would be more each time.
    await dav(demo, 'DELETE', '/trashbin/alice/trash');
    await dav(demo, 'PUT', file, 'to be deleted');
    await answered(`nuq delete /Bench/${i}.md`);
    const before = seen;
    await sleep(READING_MS);
    const saidAt = Date.now();
    const doneAt = await answered('yes');
    const nextclouds = busyMs((await door.requests(before)).filter(({ path }) => !path.includes('/bot/')));
    if ((await dav(demo, 'PROPFIND', file)) !== 404) throw new Error(`The "yes" did not delete ${file}.`);
    if (i < WARM_UP) continue;
    whole.push(doneAt - saidAt);
    own.push(doneAt - saidAt - nextclouds);
  }
  return [
    {
      name: '"yes" to receipt, beyond Nextcloud\'s own time, p50',
      value: rounded(percentile(own, 0.5)),
      unit: 'ms',
      against: { name: 'at most', value: 60 },
    },
    { name: '"yes" to receipt, with it, p50', value: percentile(whole, 0.5), unit: 'ms' },
    {
      name: '"yes" to receipt, beyond Nextcloud\'s own time, p99',
      value: rounded(percentile(own, 0.99)),
      unit: 'ms',
    },
  ];
};

/** How long at least one of the requests was in hand; they come in the order of their arrival. */
const busyMs = (requests: readonly NextcloudRequest[]): number => {
  let total = 0;
  let until = 0;
  for (const { at, ms } of requests) {
    const from = Math.max(until, Date.parse(at));
    until = Math.max(until, Date.parse(at) + (ms ?? 0));
    total += until - Math.min(from, until);
  }
  return total;
};

/** As Alice herself. @returns the status */
const dav = async (demo: Demo, method: string, path: string, body?: string): Promise<number> => {
  const { password = '' } = readDemoTeam().users.find(({ id }) => id === 'alice') ?? {};
  const response = await fetch(`${demo.url}/remote.php/dav${path}`, {
    method,
    headers: { authorization: `Basic ${btoa(`alice:${password}`)}`, depth: '0' },
    ...(body !== undefined && { body }),
  });
  await response.arrayBuffer();
  return response.status;
};
