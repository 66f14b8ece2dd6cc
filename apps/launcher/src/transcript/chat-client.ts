import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const Message = z.object({
  id: z.number(),
  actorType: z.string(),
  actorId: z.string(),
  actorDisplayName: z.string(),
  message: z.string(),
  replyTo: z.number().nullable(),
  reactions: z.record(z.string(), z.number()),
  systemMessage: z.string(),
});
export type Message = z.infer<typeof Message>;

const Transcript = z.object({ messages: z.array(Message) });
const Written = z.object({ id: z.number() });
const Requests = z.object({
  requests: z.array(
    z.object({ method: z.string(), path: z.string(), user: z.string().nullable(), status: z.number() }),
  ),
});
const Webhooks = z.object({
  webhooks: z.array(z.object({ n: z.number(), body: z.string(), status: z.number().nullable() })),
});

const POLL_MS = 25;
const ANSWER_TIMEOUT_MS = 20_000;

/** What a person sees and does in a room, through the emulator's control interface. */
export class ChatClient {
  constructor(
    private readonly emulatorUrl: string,
    private readonly room: string,
  ) {}

  async write(user: string, text: string): Promise<number> {
    return Written.parse(await this.call('POST', `rooms/${this.room}/messages`, { user, text })).id;
  }

  async messages(after = 0): Promise<Message[]> {
    return Transcript.parse(await this.call('GET', `rooms/${this.room}/messages?after=${after}`)).messages;
  }

  /** The bot's messages that answer the message `id`, as soon as there is one. */
  async answerTo(id: number): Promise<Message> {
    const deadline = Date.now() + ANSWER_TIMEOUT_MS;
    for (;;) {
      const answer = (await this.answers(id))[0];
      if (answer) return answer;
      if (Date.now() > deadline)
        throw new Error(`message ${id} was not answered within ${ANSWER_TIMEOUT_MS / 1000} s`);
      await sleep(POLL_MS);
    }
  }

  async answers(id: number): Promise<Message[]> {
    return (await this.messages(id)).filter(
      ({ actorType, replyTo }) => actorType === 'bots' && replyTo === id,
    );
  }

  /** Reactions on a message, once they satisfy `wanted`. */
  async reactionsOn(id: number, wanted: (reactions: Record<string, number>) => boolean): Promise<boolean> {
    const deadline = Date.now() + ANSWER_TIMEOUT_MS;
    while (Date.now() < deadline) {
      const message = (await this.messages(id - 1)).find((candidate) => candidate.id === id);
      if (message && wanted(message.reactions)) return true;
      await sleep(POLL_MS);
    }
    return false;
  }

  /** Delivers the webhook that told the bot of message `id` once more, byte for byte. */
  async deliverAgain(id: number): Promise<void> {
    const { webhooks } = Webhooks.parse(await this.call('GET', 'webhooks?after=0'));
    const webhook = webhooks.find(
      ({ body }) => body.includes(`"id":"${id}"`) && body.startsWith('{"type":"Create"'),
    );
    if (!webhook) throw new Error(`no webhook told the bot of message ${id}`);
    await this.call('POST', `webhooks/${webhook.n}/replay`);
  }

  /** Requests that reached Nextcloud in somebody's name. */
  async requestsAs(user: string): Promise<number> {
    const { requests } = Requests.parse(await this.call('GET', 'requests?after=0'));
    return requests.filter((request) => request.user === user).length;
  }

  private async call(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.emulatorUrl}/_emulator/${path}`, {
      method,
      ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`the emulator answered ${response.status} to ${method} ${path}`);
    const text = await response.text();
    return text === '' ? null : (JSON.parse(text) as unknown);
  }
}
