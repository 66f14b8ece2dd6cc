import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICES } from '@nuqloud/contracts';
import { eventually, startPostgres, startRedis } from '@nuqloud/testing';
import type { RunningPostgres, RunningStore } from '@nuqloud/testing';
import { ProductApart } from './apart/product-apart';

const STORES = ['nats', 'postgres', 'redis', 'nextcloud'] as const;
type Store = (typeof STORES)[number];

const AWAY_MS = 1_500;
/** Room for machines that have other things to do. */
const LONG_MS = 60_000;

let postgres: RunningPostgres;
let redis: RunningStore;
let product: ProductApart;

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  const rooms = STORES.flatMap((store) => [`waiting${store}`, `running${store}`]);
  product = await ProductApart.start([...rooms, 'waitingdrain', 'runningdrain', 'missed', 'missedyes'], {
    stores: { databaseUrl: await postgres.createDatabase('nuqloud'), redisUrl: redis.url },
  });
  await product.toolsAreThere('waitingdrain');
}, 180_000);

afterAll(async () => {
  await product?.close();
  await Promise.all([postgres?.stop(), redis?.stop()]);
});

/** Killed, and back with what each keeps by itself: Redis keeps nothing. */
const RESTARTS: Readonly<Record<Store, () => Promise<void>>> = {
  nats: () => product.bed.nats.restart(),
  postgres: () => postgres.restart(),
  redis: () => redis.restart(),
  nextcloud: () => product.withoutNextcloud(() => sleep(AWAY_MS)),
};

/** Whose turn is in hand while a store is away: it waits for a slow Nextcloud, or stands before it gives its answer. */
const HOLDS = {
  nextcloud: async (name: string) => {
    const room = product.room(`running${name}`);
    await room.slowListing(1_000);
    const question = await room.write('nuq list /Kill');
    await room.workBegins(question);
    return { question, release: () => undefined };
  },
  // A call that a restart of NATS takes with it is waited for to its end, a minute later: nobody else hears of that.
  answer: async (name: string) => {
    const wire = product.wire('agent', 'database');
    const stands = wire.stopAt('request', '"kind":"reply"');
    const question = await product.room(`running${name}`).write('nuq list /Kill');
    await stands();
    return { question, release: () => wire.release() };
  },
};

/** A question that waits for its "yes", and a turn in hand. */
const conversations = async (name: string, hold: keyof typeof HOLDS = 'nextcloud') => {
  const [waiting, running] = [product.room(`waiting${name}`), product.room(`running${name}`)];
  await waiting.askForDeletion();
  await waiting.prompt(LONG_MS);
  const { question, release } = await HOLDS[hold](name);
  return {
    /** The turn ends with one answer, the "yes" still counts and counts once, and the bot goes on. */
    goOn: async () => {
      release();
      await running.answerTo(question, LONG_MS);
      await running.workEnds(question);
      const yes = await waiting.write('yes');
      expect(await waiting.toldAfter(yes, LONG_MS)).toBe('done');
      await waiting.workEnds(yes);
      expect(await waiting.deletions()).toHaveLength(1);
      expect(await waiting.fileExists()).toBe(false);
      expect(await waiting.prompts()).toHaveLength(1);
      expect(await running.help()).toContain('NuQ');
      expect(await waiting.answersTo(yes)).toHaveLength(1);
      expect(await running.answersTo(question)).toHaveLength(1);
    },
  };
};

describe('in the middle of two conversations', () => {
  it.each(STORES)(
    '%s is restarted: both go on, and nothing is answered or done twice',
    async (store) => {
      const { goOn } = await conversations(store, store === 'nats' ? 'answer' : 'nextcloud');
      await RESTARTS[store]();
      await goOn();
    },
    240_000,
  );

  it('every service is told to end: each finishes its part, ends with 0, and both go on after the next start', async () => {
    const { goOn } = await conversations('drain');
    const codes = await Promise.all(
      SERVICES.map(async (name) => [name, await product.terminate(name)] as const),
    );
    expect(codes).toEqual(SERVICES.map((name) => [name, 0]));
    await Promise.all(SERVICES.map((name) => product.start(name)));
    await goOn();
  }, 240_000);
});

describe('while talk-ingress is away', () => {
  it('what is written is read from the history and answered once, and a "yes" read so is asked for again', async () => {
    const [missed, asked] = [product.room('missed'), product.room('missedyes')];
    expect(await missed.help()).toContain('NuQ');
    await asked.askForDeletion();
    const prompt = await asked.prompt(LONG_MS);
    expect(await product.terminate('talk-ingress')).toBe(0);
    const questions = [await missed.write('nuq list /Kill'), await missed.write('nuq help', 'bob')];
    const yes = await asked.write('yes');
    await product.start('talk-ingress');

    for (const question of questions) await missed.answerTo(question, LONG_MS);
    const [, code = ''] = /\(([A-Z0-9]{3})\)/.exec(prompt) ?? [];
    await eventually(
      async () => (await asked.ofBot()).some(({ message }) => message !== prompt && message.includes(code)),
      {
        describe: 'the code once more',
        deadlineMs: LONG_MS,
      },
    );
    expect(await asked.deletions()).toEqual([]);
    await asked.workEnds(yes);
    expect(await asked.toldAfter(await asked.write(`yes ${code}`))).toBe('done');
    expect(await asked.deletions()).toHaveLength(1);
    for (const question of questions) expect(await missed.answersTo(question)).toHaveLength(1);
  }, 240_000);
});
