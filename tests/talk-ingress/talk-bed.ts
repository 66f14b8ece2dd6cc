import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CHAT_STREAM, ChatEventBody, PostToRoom } from '@nuqloud/contracts';
import type { PostToRoomReply, PostToRoomRequest } from '@nuqloud/contracts';
import type { Bus } from '@nuqloud/messaging';
import type { Emulator, FixtureInput } from '@nuqloud/nextcloud-emulator';
import { startEmulator } from '@nuqloud/nextcloud-emulator';
import { createLogger } from '@nuqloud/platform';
import { startTalkIngress } from '@nuqloud/talk-ingress';
import type { RunningTalkIngress } from '@nuqloud/talk-ingress';
import { startTestBed } from '@nuqloud/testing';
import type { TestBed } from '@nuqloud/testing';

const SECRET = 'talk-secret-of-the-emulated-bot-0123456789abcdef';

/** What stands in the emulator's room. */
export interface Standing {
  readonly id: number;
  readonly actorType: string;
  readonly actorDisplayName: string;
  readonly message: string;
  readonly replyTo: number | null;
  readonly referenceId: string;
  readonly reactions: Record<string, unknown>;
  readonly systemMessage: string;
}

/** talk-ingress between an emulated Talk and an agent that the test plays. */
export class TalkBed {
  /** The token of the one room. */
  room = '';
  private worlds = 0;

  private constructor(
    readonly emulator: Emulator,
    readonly ingress: RunningTalkIngress,
    private readonly stores: TestBed,
    private readonly agent: Bus,
    private readonly folder: string,
  ) {}

  static async start(): Promise<TalkBed> {
    const emulator = await startEmulator({ webRoot: '/nextcloud' });
    const stores = await startTestBed();
    const folder = await mkdtemp(path.join(tmpdir(), 'nuqloud-talk-'));
    const provision = path.join(folder, 'provision.yaml');
    await writeFile(
      provision,
      `version: 1
instances: [{ id: default, url: "${emulator.url}" }]
bots: [{ slug: nuq, instance: default, name: NuQ, talkSecret: "${SECRET}" }]
`,
    );
    const ingress = await startTalkIngress({
      config: {
        APP_HOST: '127.0.0.1',
        APP_PORT: 0,
        DATABASE_URL: stores.databaseUrl,
        NATS_URL: stores.natsUrl,
        KEYS_DIR: stores.keysDir,
        ENCRYPTION_KEY: randomBytes(32).toString('base64'),
        PROVISION_FILE: provision,
        SPOOL_DIR: path.join(folder, 'spool'),
        DATA_DIR: folder,
        LOG_LEVEL: 'silent',
      },
      env: {},
      logger: createLogger({ service: 'talk-ingress', level: 'silent' }),
    });
    return new TalkBed(emulator, ingress, stores, await stores.busOf('agent'), folder);
  }

  async close(): Promise<void> {
    await this.ingress.close();
    await this.stores.close();
    await this.emulator.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  /**
   * A new world of that version, with the bot in its room. The room is another each time, because message ids
   * begin anew and the same id in the same room is the same message.
   */
  resetTo(nextcloud: string, bot: { secret?: string } = {}): void {
    this.room = `room${++this.worlds}`;
    const fixture: FixtureInput = {
      nextcloud: { version: nextcloud, apps: ['spreed', 'app_api'] },
      users: [
        { id: 'alice', displayName: 'Alice Adams', password: 'alice-password' },
        { id: 'bob', displayName: 'Bob {mention-user2}', password: 'bob-password' },
      ],
      bots: [
        {
          name: 'NuQ',
          secret: bot.secret ?? SECRET,
          url: `${this.ingress.url}/webhook/talk/nuq`,
          features: ['webhook', 'response', 'reaction'],
        },
      ],
      rooms: [
        {
          token: this.room,
          name: 'Team',
          type: 'group',
          members: ['users/alice', 'users/bob', 'guests/7f3a'],
          bots: ['NuQ'],
        },
      ],
      files: { alice: { '/Docs/plan.md': 'The plan.' } },
    };
    this.emulator.reset(fixture);
  }

  async control<T>(method: string, what: string, body?: object): Promise<T> {
    const response = await fetch(`${this.emulator.url.replace(/\/nextcloud$/, '')}/_emulator/${what}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });
    if (!response.ok) throw new Error(`${method} ${what}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }

  /** Somebody writes; Talk waits for the bot meanwhile. */
  write(message: {
    user: string;
    text?: string;
    replyTo?: number;
    threadId?: number;
    file?: string;
  }): Promise<{ id: number }> {
    return this.control('POST', `rooms/${this.room}/messages`, message);
  }

  async standing(): Promise<Standing[]> {
    return (await this.control<{ messages: Standing[] }>('GET', `rooms/${this.room}/messages?after=0`))
      .messages;
  }

  /** The next event of the room that the agent gets; what is left of earlier worlds is passed over. */
  async nextEvent(): Promise<ChatEventBody> {
    const consumer = await this.agent.connection.jetstream().consumers.get(CHAT_STREAM, 'agent');
    for (;;) {
      const message = await consumer.next({ expires: 5_000 });
      if (!message) throw new Error('The agent got nothing.');
      await message.ackAck();
      const event = ChatEventBody.parse(message.json());
      if (event.room === this.room) return event;
    }
  }

  post(key: string, post: PostToRoomRequest['post']): Promise<PostToRoomReply> {
    return this.agent.request(
      PostToRoom,
      {},
      { v: 1, key, instance: 'default', bot: 'nuq', room: this.room, post },
    );
  }
}
