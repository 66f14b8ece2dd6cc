import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { CHAT_STREAM, ChatEventBody, PostToRoom } from '@nuqloud/contracts';
import { createPrisma } from '@nuqloud/database';
import type { PrismaClient } from '@nuqloud/database';
import type { Bus } from '@nuqloud/messaging';
import { startEmulator } from '@nuqloud/nextcloud-emulator';
import type { Emulator, FixtureInput } from '@nuqloud/nextcloud-emulator';
import { startGateway } from '@nuqloud/nextcloud-gateway';
import type { RunningGateway } from '@nuqloud/nextcloud-gateway';
import { createLogger } from '@nuqloud/platform';
import { startTalkIngress } from '@nuqloud/talk-ingress';
import type { RunningTalkIngress } from '@nuqloud/talk-ingress';
import { eventually, pickFreePort, startTestBed } from '@nuqloud/testing';
import type { TestBed } from '@nuqloud/testing';

export const APP_SECRET = `app-secret:${'a'.repeat(30)}`;
export const PLAIN_SECRET = 'talk-secret-of-the-plain-bot-0123456789abcdef';

const ENCRYPTION_KEY = randomBytes(32).toString('base64');

/** What an emulated Nextcloud says of the app. */
export interface AppState {
  readonly installed: boolean;
  readonly enabled: boolean;
  readonly error: string;
  readonly talkBots: readonly { readonly botId: number; readonly name: string }[];
}

export interface Standing {
  readonly actorType: string;
  readonly actorId: string;
  readonly message: string;
}

/** talk-ingress and nextcloud-gateway on real stores, an emulated Nextcloud, and an agent that the test plays. */
export class AppBed {
  readonly logs: string[] = [];
  private ingress: RunningTalkIngress | undefined;
  private gateway: RunningGateway | undefined;
  private lastKey = 0;

  private constructor(
    readonly emulator: Emulator,
    readonly stores: TestBed,
    readonly owner: PrismaClient,
    private readonly agent: Bus,
    private readonly folder: string,
    private readonly port: number,
  ) {}

  static async start(): Promise<AppBed> {
    const emulator = await startEmulator({ webRoot: '/nextcloud' });
    const stores = await startTestBed();
    const folder = await mkdtemp(path.join(tmpdir(), 'nuqloud-app-'));
    const owner = createPrisma(stores.databaseUrl);
    const agent = await stores.busOf('agent');
    const bed = new AppBed(emulator, stores, owner, agent, folder, await pickFreePort());
    await writeFile(bed.provision, provisionFile(emulator.url));
    bed.reset();
    await bed.startGateway();
    await bed.startIngress();
    return bed;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async startGateway(): Promise<void> {
    this.gateway = await startGateway({
      config: { ...this.config, GATEWAY_HOST: '127.0.0.1', GATEWAY_PORT: 0 },
      env: {},
      logger: this.logger('nextcloud-gateway'),
    });
  }

  async stopGateway(): Promise<void> {
    await this.gateway?.close();
    this.gateway = undefined;
  }

  async startIngress(): Promise<void> {
    this.ingress = await startTalkIngress({
      config: { ...this.config, APP_HOST: '127.0.0.1', APP_PORT: this.port },
      env: {},
      logger: this.logger('talk-ingress'),
    });
  }

  async stopIngress(): Promise<void> {
    await this.ingress?.close();
    this.ingress = undefined;
  }

  /** Stops it, and tells what its self-test says once it is back. */
  async restartIngress(): Promise<Record<string, unknown>> {
    await this.stopIngress();
    const before = this.logged('app-bot.self-test').length;
    await this.startIngress();
    return eventually(() => this.logged('app-bot.self-test')[before], { describe: 'the self-test' });
  }

  /** A Nextcloud in which nothing is installed, with the plain bot in the room `plain`. */
  reset(apps: string[] = ['spreed', 'app_api']): void {
    const fixture: FixtureInput = {
      nextcloud: { version: '32.0.1', apps },
      users: [{ id: 'alice', displayName: 'Alice Adams', password: 'alice-password' }],
      bots: [{ name: 'Plain', secret: PLAIN_SECRET, url: `${this.url}/webhook/talk/nuq` }],
      rooms: [
        { token: 'through', name: 'Through AppAPI', members: ['users/alice'] },
        { token: 'plain', name: 'Plain', members: ['users/alice'], bots: ['Plain'] },
      ],
    };
    this.emulator.reset(fixture);
  }

  install(more: object = {}): Promise<AppState> {
    const app = { id: 'nuqloud_ai', secret: APP_SECRET, version: '0.1.0', url: this.url };
    return this.control('POST', 'appapi/install', { ...app, heartbeats: 5, initMs: 10_000, ...more });
  }

  /** A moderator adds the bot that is registered through AppAPI. */
  async setUpBot(room = 'through'): Promise<void> {
    const [bot] = (await this.control<AppState>('GET', 'appapi')).talkBots;
    const { status } = await fetch(
      `${this.emulator.url}/ocs/v2.php/apps/spreed/api/v1/bot/${room}/${bot?.botId}`,
      {
        method: 'POST',
        headers: { 'OCS-APIRequest': 'true', authorization: `Basic ${btoa('alice:alice-password')}` },
      },
    );
    if (status !== 201) throw new Error(`The bot could not be set up: ${status}`);
  }

  async write(text: string, room = 'through'): Promise<string> {
    return String(
      (await this.control<{ id: number }>('POST', `rooms/${room}/messages`, { user: 'alice', text })).id,
    );
  }

  /** The agent says something; once Talk was asked or it is certain that it will not be, tells what stands there. */
  async post(text: string, room = 'through'): Promise<Standing | undefined> {
    const key = `post-${++this.lastKey}`;
    const post = { type: 'message', text } as const;
    await this.agent.request(PostToRoom, {}, { v: 1, key, instance: 'default', bot: 'nuq', room, post });
    await eventually(
      async () => (await this.owner.ingressPost.findFirst({ where: { key } }))?.finalAt ?? false,
      {
        describe: `the end of ${key}`,
        deadlineMs: 15_000,
      },
    );
    return (await this.standing(room)).find(({ message }) => message === text);
  }

  async standing(room = 'through'): Promise<Standing[]> {
    return (await this.control<{ messages: Standing[] }>('GET', `rooms/${room}/messages?after=0`)).messages;
  }

  /** What the agent gets of a message. */
  async eventOf(messageId: string): Promise<ChatEventBody> {
    const consumer = await this.agent.connection.jetstream().consumers.get(CHAT_STREAM, 'agent');
    for (;;) {
      const message = await consumer.next({ expires: 5_000 });
      if (!message) throw new Error('The agent got nothing.');
      await message.ackAck();
      const event = ChatEventBody.parse(message.json());
      if ('messageId' in event && event.messageId === messageId) return event;
    }
  }

  async control<T>(method: string, call: string, body?: object): Promise<T> {
    const response = await fetch(`${this.emulator.url}/_emulator/${call}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${call}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }

  logged(event: string): Record<string, unknown>[] {
    return this.logs
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((line) => line['event'] === event);
  }

  async close(): Promise<void> {
    await this.stopIngress();
    await this.stopGateway();
    await this.owner.$disconnect();
    await this.stores.close();
    await this.emulator.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  private get provision(): string {
    return path.join(this.folder, 'provision.yaml');
  }

  private get config() {
    const { databaseUrl, natsUrl, redisUrl, keysDir } = this.stores;
    return {
      DATABASE_URL: databaseUrl,
      NATS_URL: natsUrl,
      REDIS_URL: redisUrl,
      KEYS_DIR: keysDir,
      ENCRYPTION_KEY,
      PROVISION_FILE: this.provision,
      DATA_DIR: this.folder,
      LOG_LEVEL: 'trace' as const,
    };
  }

  private logger(service: string) {
    const destination = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.logs.push(chunk.toString());
        done();
      },
    });
    return createLogger({ service, level: 'trace' }, destination);
  }
}

const provisionFile = (url: string): string => `version: 1
instances:
  - { id: default, url: "${url}", appApi: { id: nuqloud_ai, secret: "${APP_SECRET}", version: 0.1.0, bot: nuq } }
bots:
  - { slug: nuq, instance: default, name: NuQ, talkSecret: "${PLAIN_SECRET}" }
`;
