import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Demo } from '../demo/start-demo';
import { percentile, rounded } from './measure';
import type { Figure } from './measure';

const Requests = z.object({
  requests: z.array(z.object({ n: z.number(), at: z.string(), method: z.string(), path: z.string() })),
});

const ANSWERS = 100;
const WARM_UP = 200;
const PACED_MESSAGES = 500;
const PER_SECOND = 50;
const ROOM = 'x7k2m9pq';

/** Sends webhooks straight to the door, as Talk would, and watches what reaches the emulated Nextcloud. */
export class ChatBench {
  private nextMessage = 1_000_000;

  constructor(private readonly demo: Demo) {}

  /** One message after another, each with one tool call of an instant model: from the webhook to the reply's POST. */
  async answers(): Promise<Figure[]> {
    const durations: number[] = [];
    let seen = await this.lastRequest();
    for (let i = 0; i < ANSWERS + 10; i += 1) {
      const sentAt = Date.now();
      await this.deliver('nuq list /Docs');
      const reply = await this.replyAfter(seen);
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
    for (let i = 0; i < WARM_UP; i += 1) await this.deliver('just talking');
    const startedAt = performance.now();
    for (let i = 0; i < PACED_MESSAGES; i += 1) {
      const due = startedAt + (i * 1000) / PER_SECOND;
      await sleep(Math.max(0, due - performance.now()));
      durations.push(this.deliver('just talking'));
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

  private async deliver(text: string): Promise<number> {
    const body = JSON.stringify({
      type: 'Create',
      actor: { type: 'Person', id: 'users/alice', name: 'Alice Adams', talkParticipantType: '1' },
      object: {
        type: 'Note',
        id: String(this.nextMessage++),
        name: 'message',
        content: JSON.stringify({ message: text, parameters: [] }),
        mediaType: 'text/markdown',
      },
      target: { type: 'Collection', id: ROOM, name: 'Team' },
    });
    const random = randomBytes(48).toString('base64');
    const startedAt = performance.now();
    const response = await fetch(this.demo.webhookUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-nextcloud-talk-random': random,
        'x-nextcloud-talk-signature': createHmac('sha256', this.demo.botSecret)
          .update(random)
          .update(body)
          .digest('hex'),
      },
      body,
    });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`The door answered ${response.status}.`);
    return performance.now() - startedAt;
  }

  private async lastRequest(): Promise<number> {
    return (await this.requests(0)).at(-1)?.n ?? 0;
  }

  private async replyAfter(after: number): Promise<{ n: number; at: string }> {
    for (;;) {
      const reply = (await this.requests(after)).find(
        ({ method, path }) => method === 'POST' && path.endsWith(`/bot/${ROOM}/message`),
      );
      if (reply) return reply;
      await sleep(5);
    }
  }

  private async requests(after: number) {
    const response = await fetch(`${this.demo.url}/_emulator/requests?after=${after}`);
    return Requests.parse(await response.json()).requests;
  }
}
