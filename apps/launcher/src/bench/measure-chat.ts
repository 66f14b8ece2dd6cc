import { setTimeout as sleep } from 'node:timers/promises';
import type { Demo } from '../demo/start-demo';
import { ChatDoor, isMessage } from './chat-door';
import { percentile, rounded } from './measure';
import type { Figure } from './measure';

const ANSWERS = 100;
const WARM_UP = 200;
const PACED_MESSAGES = 500;
const PER_SECOND = 50;

/** Sends webhooks straight to the door, as Talk would, and watches what reaches the emulated Nextcloud. */
export class ChatBench {
  private readonly door: ChatDoor;

  constructor(demo: Demo) {
    this.door = new ChatDoor(demo);
  }

  /** One message after another, each with one tool call of an instant model: from the webhook to the reply's POST. */
  async answers(): Promise<Figure[]> {
    const durations: number[] = [];
    let seen = await this.door.lastRequest();
    for (let i = 0; i < ANSWERS + 10; i += 1) {
      const sentAt = Date.now();
      await this.door.deliver('nuq list /Docs');
      const reply = await this.door.requestAfter(seen, isMessage);
      seen = reply.n;
      // The first ones warm caches and the compiler up.
      if (i >= 10) durations.push(Date.parse(reply.at) - sentAt);
    }
    return [
      {
        name: 'one message with one tool call, webhook to reply, p50',
        value: percentile(durations, 0.5),
        unit: 'ms',
        against: { name: 'at most', value: 40 },
      },
      {
        name: 'one message with one tool call, webhook to reply, p99',
        value: percentile(durations, 0.99),
        unit: 'ms',
      },
    ];
  }

  /** Fifty messages a second that nobody answers: from the first byte to the 200. */
  async acknowledgements(): Promise<Figure[]> {
    const durations: Promise<number>[] = [];
    // The first ones warm caches and the compiler up.
    for (let i = 0; i < WARM_UP; i += 1) await this.door.deliver('just talking');
    const startedAt = performance.now();
    for (let i = 0; i < PACED_MESSAGES; i += 1) {
      const due = startedAt + (i * 1000) / PER_SECOND;
      await sleep(Math.max(0, due - performance.now()));
      durations.push(this.door.deliver('just talking'));
    }
    const all = await Promise.all(durations);
    return [
      { name: 'webhook to 200 at 50/s, p50', value: rounded(percentile(all, 0.5)), unit: 'ms' },
      {
        name: 'webhook to 200 at 50/s, p99',
        value: rounded(percentile(all, 0.99)),
        unit: 'ms',
        against: { name: 'at most', value: 20 },
      },
    ];
  }
}
