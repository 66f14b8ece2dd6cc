import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Demo } from '../demo/start-demo';

const Requests = z.object({
  requests: z.array(
    z.object({
      n: z.number(),
      at: z.string(),
      method: z.string(),
      path: z.string(),
      status: z.number().nullable(),
      ms: z.number().nullable(),
    }),
  ),
});

/** A request that reached the emulated Nextcloud; `at` is ISO 8601, `ms` the time that it took to answer. */
export type NextcloudRequest = z.infer<typeof Requests>['requests'][number];

/** The requests that reached the emulated Nextcloud, with numbers above `after`. */
export const fetchRequests = async (url: string, after: number): Promise<NextcloudRequest[]> => {
  const response = await fetch(`${url}/_emulator/requests?after=${after}`);
  return Requests.parse(await response.json()).requests;
};

const ROOM = 'x7k2m9pq';

/** The bot's posts into the room. */
export const isMessage = ({ method, path }: NextcloudRequest): boolean =>
  method === 'POST' && path.endsWith(`/bot/${ROOM}/message`);
/** The sign of work goes when a turn is over. */
export const isEndOfWork = ({ method, path }: NextcloudRequest): boolean =>
  method === 'DELETE' && path.includes(`/bot/${ROOM}/reaction/`);

/** Sends webhooks straight to the product's door, as Talk would, and watches what reaches the emulated Nextcloud. */
export class ChatDoor {
  private nextMessage = 1_000_000;

  constructor(private readonly demo: Demo) {}

  /** Alice writes in the team's room. @returns milliseconds from the first byte to the 200 */
  async deliver(text: string): Promise<number> {
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

  async lastRequest(): Promise<number> {
    return (await this.requests(0)).at(-1)?.n ?? 0;
  }

  /** The first such request with a number above `after`, once it has come. */
  async requestAfter(
    after: number,
    matches: (request: NextcloudRequest) => boolean,
  ): Promise<NextcloudRequest> {
    for (;;) {
      const found = (await this.requests(after)).find(matches);
      if (found) return found;
      await sleep(5);
    }
  }

  requests(after: number): Promise<NextcloudRequest[]> {
    return fetchRequests(this.demo.url, after);
  }
}
