import { createLogger } from '@nuqloud/platform';
import { Outbox } from '../ports/outbox';
import type { ClaimedPost } from '../ports/outbox';
import { DeliverOutbox } from './deliver-outbox';

const silent = createLogger({ service: 'test', level: 'silent' });

const postOf = (id: number): ClaimedPost => ({
  id: BigInt(id),
  instance: 'default',
  bot: 'nuq',
  room: `room${id}`,
  key: String(id),
  part: 0,
  post: { type: 'message', text: 'Hello' },
  referenceId: '',
  attempts: 1,
  ageMs: 0,
  refusals: 0,
  throughApp: false,
  sealedAppSecret: null,
});

/** Hands out what was added, as the database would. */
class FakeOutbox extends Outbox {
  waiting: ClaimedPost[] = [];
  claiming: () => Promise<void> = () => Promise.resolve();

  async claim(limit: number): Promise<ClaimedPost[]> {
    const found = this.waiting.splice(0, limit);
    await this.claiming();
    return found;
  }
  add = () => Promise.reject(new Error('unused'));
  sent = () => Promise.resolve();
  failed = () => Promise.resolve();
  again = () => Promise.resolve();
  refused = () => Promise.resolve(0);
  fate = () => Promise.reject(new Error('unused'));
  pause = () => Promise.resolve();
  forget = () => Promise.resolve();
  recentRooms = () => Promise.resolve([]);
}

const recordIn = (delivered: bigint[]) => ({
  deliver: ({ id }: ClaimedPost) => {
    delivered.push(id);
    return Promise.resolve();
  },
});

const turns = async (n: number): Promise<void> => {
  for (let i = 0; i < n; i++) await Promise.resolve();
};

describe('DeliverOutbox', () => {
  it('claims once more when it is woken while it claims', async () => {
    const outbox = new FakeOutbox();
    const delivered: bigint[] = [];
    const delivery = new DeliverOutbox(outbox, recordIn(delivered), silent);
    let claims = 0;
    outbox.claiming = () => {
      // Stored after the claim has looked, and before it has returned.
      if (++claims === 1) {
        outbox.waiting.push(postOf(1));
        delivery.wake();
      }
      return Promise.resolve();
    };
    delivery.wake();
    await turns(50);
    expect(delivered).toEqual([1n]);
    await delivery.stop();
  });

  it('is woken by every wake-up, whenever it comes', async () => {
    for (let gap = 0; gap < 30; gap++) {
      const outbox = new FakeOutbox();
      const delivered: bigint[] = [];
      const delivery = new DeliverOutbox(outbox, recordIn(delivered), silent);
      outbox.waiting.push(postOf(1));
      delivery.wake();
      await turns(gap);
      outbox.waiting.push(postOf(2));
      delivery.wake();
      await turns(100);
      expect(delivered).toEqual([1n, 2n]);
      await delivery.stop();
    }
  });

  it('has at most sixteen posts in hand, and takes the next when one is done', async () => {
    const outbox = new FakeOutbox();
    outbox.waiting = Array.from({ length: 40 }, (_, n) => postOf(n));
    const releases: (() => void)[] = [];
    let most = 0;
    let inHand = 0;
    const deliver = async () => {
      most = Math.max(most, ++inHand);
      await new Promise<void>((resolve) => releases.push(resolve));
      inHand -= 1;
    };
    const delivery = new DeliverOutbox(outbox, { deliver }, silent);
    delivery.wake();
    await turns(20);
    expect(inHand).toBe(16);
    while (releases.length > 0) {
      releases.shift()?.();
      await turns(20);
    }
    expect([most, inHand, outbox.waiting.length]).toEqual([16, 0, 0]);
    await delivery.stop();
  });

  it('waits at its end for what is in hand and claims nothing more', async () => {
    const outbox = new FakeOutbox();
    outbox.waiting = [postOf(1)];
    let release: () => void = () => undefined;
    let done = false;
    const deliver = async () => {
      await new Promise<void>((resolve) => (release = resolve));
      done = true;
    };
    const delivery = new DeliverOutbox(outbox, { deliver }, silent);
    delivery.wake();
    await turns(20);
    const stopped = delivery.stop();
    outbox.waiting = [postOf(2)];
    release();
    await stopped;
    expect([done, outbox.waiting.length]).toEqual([true, 1]);
  });

  it('lives on when the store is away or an outcome cannot be recorded', async () => {
    const outbox = new FakeOutbox();
    outbox.waiting = [postOf(1), postOf(2)];
    const tried: bigint[] = [];
    const deliver = ({ id }: ClaimedPost) => {
      tried.push(id);
      return Promise.reject(new Error('away'));
    };
    const delivery = new DeliverOutbox(outbox, { deliver }, silent);
    outbox.claiming = () => Promise.reject(new Error('away'));
    delivery.wake();
    await turns(20);
    outbox.waiting = [postOf(1), postOf(2)];
    outbox.claiming = () => Promise.resolve();
    delivery.wake();
    await turns(20);
    expect(tried).toEqual([1n, 2n]);
    await delivery.stop();
  });
});
