import { setTimeout as sleep } from 'node:timers/promises';
import { readDemoTeam } from '@nuqloud/nextcloud-emulator';
import { z } from 'zod';
import type { Demo } from '../demo/start-demo';
import { fetchRequests } from './chat-door';

const Written = z.object({ id: z.number() });
const Transcript = z.object({
  messages: z.array(z.object({ actorType: z.string(), replyTo: z.number().nullable() })),
});

/** A message, and when its answer reached Nextcloud; milliseconds since the epoch. */
interface Exchange {
  /** Talk's, as soon as it has taken the message. */
  id: number;
  readonly sentAt: number;
  answeredAt: number | undefined;
}

export interface LoadResult {
  /** From the message to the arrival of its answer, milliseconds. */
  readonly latencies: readonly number[];
  /** From the first message to the arrival of the last answer, milliseconds. */
  readonly totalMs: number;
  readonly lost: number;
  /** Rooms whose answers did not come in the order of their messages. */
  readonly disordered: number;
}

const POLL_MS = 100;
/** Longer than any limit that is measured against: what has not come by then is lost. */
const LOST_AFTER_MS = 60_000;
const PEOPLE = ['alice', 'bob', 'carol'];

let worlds = 0;

/** Writes in many rooms of the emulated Nextcloud, whose bot is told by its signed webhooks, and collects the answers. */
export class ManyRooms {
  private readonly exchanges = new Map<string, Exchange[]>();
  private readonly answers = new Map<string, number>();
  private seen = 0;

  private constructor(
    private readonly demo: Demo,
    private readonly rooms: readonly string[],
  ) {}

  /**
   * A new world with as many rooms of three people and the bot. A world counts its messages from 1, so its rooms have
   * to have other names than those of any world before: the product knows each message for ever.
   */
  static async open(demo: Demo, count: number): Promise<ManyRooms> {
    const team = readDemoTeam();
    const [first] = team.rooms;
    const rooms = Array.from({ length: count }, (_, n) => `world${worlds}room${n}`);
    worlds += 1;
    const response = await fetch(`${demo.url}/_emulator/reset`, {
      method: 'POST',
      body: JSON.stringify({
        fixture: {
          ...team,
          bots: team.bots.map((bot) => ({ ...bot, url: demo.webhookUrl })),
          rooms: rooms.map((token) => ({ ...first, token, name: token })),
        },
      }),
    });
    if (!response.ok) throw new Error(`The emulator refuses the rooms: ${await response.text()}`);
    return new ManyRooms(demo, rooms);
  }

  /** In every room at once `each` messages, one after another as soon as Talk has taken the last. */
  async burst(each: number, text: string): Promise<LoadResult> {
    return this.measured(() =>
      Promise.all(
        this.rooms.map(async (room) => {
          for (let i = 0; i < each; i += 1) await this.write(room, text);
        }),
      ),
    );
  }

  /** So many messages a second, in one room after another, whether answers come or not. */
  async pace(perSecond: number, seconds: number, text: string): Promise<LoadResult> {
    return this.measured(async () => {
      const writing: Promise<void>[] = [];
      const startedAt = performance.now();
      for (let i = 0; i < perSecond * seconds; i += 1) {
        await sleep(Math.max(0, startedAt + (i * 1000) / perSecond - performance.now()));
        writing.push(this.write(this.rooms[i % this.rooms.length] ?? '', text));
      }
      await Promise.all(writing);
    });
  }

  private async measured(write: () => Promise<unknown>): Promise<LoadResult> {
    this.exchanges.clear();
    this.answers.clear();
    const startedAt = Date.now();
    let writtenAt = Infinity;
    const written = write().finally(() => (writtenAt = Date.now()));
    const unanswered = () => this.all().filter(({ answeredAt }) => answeredAt === undefined).length;
    while (writtenAt === Infinity || (unanswered() > 0 && Date.now() < writtenAt + LOST_AFTER_MS)) {
      await sleep(POLL_MS);
      await this.collect();
    }
    await written;
    const disordered = await Promise.all(this.rooms.map((room) => this.isDisordered(room)));
    const answered = this.all().flatMap(({ sentAt, answeredAt }) =>
      answeredAt === undefined ? [] : [{ sentAt, answeredAt }],
    );
    return {
      latencies: answered.map(({ sentAt, answeredAt }) => answeredAt - sentAt),
      totalMs: Math.max(...answered.map(({ answeredAt }) => answeredAt)) - startedAt,
      lost: unanswered(),
      disordered: disordered.filter(Boolean).length,
    };
  }

  private all(): Exchange[] {
    return [...this.exchanges.values()].flat();
  }

  private async write(room: string, text: string): Promise<void> {
    const exchanges = this.exchanges.get(room) ?? [];
    this.exchanges.set(room, exchanges);
    const exchange: Exchange = { id: 0, sentAt: Date.now(), answeredAt: undefined };
    exchanges.push(exchange);
    const user = PEOPLE[exchanges.length % PEOPLE.length];
    const response = await fetch(`${this.demo.url}/_emulator/rooms/${room}/messages`, {
      method: 'POST',
      body: JSON.stringify({ user, text }),
    });
    exchange.id = Written.parse(await response.json()).id;
  }

  /** The n-th answer in a room belongs to its n-th message; whether that is so is looked up afterwards. */
  private async collect(): Promise<void> {
    const requests = await fetchRequests(this.demo.url, this.seen);
    // One that is still being answered has no status yet; it and what follows is looked at again.
    for (const { n, at, method, path, status } of requests) {
      if (status === null) break;
      this.seen = n;
      const [, room] = /\/bot\/([a-z0-9]+)\/message$/.exec(path) ?? [];
      if (method !== 'POST' || room === undefined || status !== 201) continue;
      const index = this.answers.get(room) ?? 0;
      this.answers.set(room, index + 1);
      const exchange = this.exchanges.get(room)?.[index];
      if (exchange) exchange.answeredAt = Date.parse(at);
    }
  }

  private async isDisordered(room: string): Promise<boolean> {
    const exchanges = this.exchanges.get(room) ?? [];
    const [first] = exchanges;
    if (!first) return false;
    const response = await fetch(`${this.demo.url}/_emulator/rooms/${room}/messages?after=${first.id - 1}`);
    const { messages } = Transcript.parse(await response.json());
    const answered = messages.flatMap(({ actorType, replyTo }) => (actorType === 'bots' ? [replyTo] : []));
    return answered.some((replyTo, index) => replyTo !== exchanges[index]?.id);
  }
}
