import { readDemoTeam } from '@nuqloud/nextcloud-emulator';
import type { Demo } from '../demo/start-demo';
import { ChatDoor, isEndOfWork, isMessage } from './chat-door';
import { percentile } from './measure';
import type { Figure } from './measure';

const DELETIONS = 50;
const WARM_UP = 10;

/**
 * One deletion after another, each asked for, confirmed and done: from the webhook with the "yes" to the POST of the
 * receipt. The emulator answers at once, so what it takes itself is counted as ours.
 */
export const measureConfirmation = async (demo: Demo): Promise<Figure[]> => {
  const door = new ChatDoor(demo);
  await dav(demo, 'MKCOL', '/Bench');
  const durations: number[] = [];
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
    const file = `/Bench/${i}.md`;
    await dav(demo, 'PUT', file, 'to be deleted');
    await answered(`nuq delete ${file}`);
    const saidAt = Date.now();
    const doneAt = await answered('yes');
    if ((await dav(demo, 'PROPFIND', file)) !== 404) throw new Error(`The "yes" did not delete ${file}.`);
    // The first ones warm caches and the compiler up.
    if (i >= WARM_UP) durations.push(doneAt - saidAt);
  }
  return [
    {
      name: '"yes" to receipt, Nextcloud answering at once, p50',
      value: percentile(durations, 0.5),
      unit: 'ms',
      against: { name: 'at most', value: 60 },
    },
    {
      name: '"yes" to receipt, Nextcloud answering at once, p99',
      value: percentile(durations, 0.99),
      unit: 'ms',
    },
  ];
};

/** As Alice herself. @returns the status */
const dav = async (demo: Demo, method: string, path: string, body?: string): Promise<number> => {
  const { password = '' } = readDemoTeam().users.find(({ id }) => id === 'alice') ?? {};
  const response = await fetch(`${demo.url}/remote.php/dav/files/alice${path}`, {
    method,
    headers: { authorization: `Basic ${btoa(`alice:${password}`)}`, depth: '0' },
    ...(body !== undefined && { body }),
  });
  await response.arrayBuffer();
  return response.status;
};
