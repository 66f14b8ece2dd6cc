import { createHmac, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startAllInOne } from '@nuqloud/all-in-one';
import type { RunningAllInOne } from '@nuqloud/all-in-one';
import type { ServiceName } from '@nuqloud/contracts';
import { readDemoTeam, startEmulator } from '@nuqloud/nextcloud-emulator';
import type { Emulator, FixtureInput } from '@nuqloud/nextcloud-emulator';
import { createLogger } from '@nuqloud/platform';
import type { RunningService } from '@nuqloud/platform';
import { eventually, messageText, startScriptedModel, startTestBed } from '@nuqloud/testing';
import type { ChatRequest, ScriptedModel, TestBed } from '@nuqloud/testing';
import { startToolFiles } from '@nuqloud/tool-files';
import { stringify } from 'yaml';

export const TEAM_ROOM = 'x7k2m9pq';

/** What the model was told last: a tool's result, after a call. */
export const lastText = ({ messages }: ChatRequest): string => {
  const last = messages.at(-1);
  return last ? messageText(last) : '';
};

interface ChatMessage {
  readonly id: number;
  readonly actorType: string;
  readonly message: string;
  readonly replyTo: number | null;
  readonly reactions: Record<string, number>;
}

interface Webhook {
  readonly n: number;
  readonly body: string;
  readonly status: number | null;
}

export interface ProductOptions {
  readonly webRoot?: string;
  readonly guests?: boolean;
  readonly replicas?: number;
  /** Services that are not started; the Files tools never are, see `startToolFiles`. */
  readonly without?: readonly ServiceName[];
  readonly shares?: NonNullable<FixtureInput['shares']>;
}

/** The whole product on real stores, an emulated Nextcloud and a strict model. */
export class Product {
  private readonly parts = new Set<RunningService>();

  private constructor(
    private readonly clock: { offsetMs: number },
    readonly bed: TestBed,
    readonly emulator: Emulator,
    readonly model: ScriptedModel,
    private readonly folder: string,
    private readonly botSecret: string,
    private readonly provision: string,
    readonly replicas: RunningAllInOne[],
  ) {}

  static async start(options: ProductOptions = {}): Promise<Product> {
    const [bed, model, folder] = await Promise.all([
      startTestBed(),
      startScriptedModel(),
      mkdtemp(path.join(tmpdir(), 'nuqloud-e2e-')),
    ]);
    const team = readDemoTeam();
    const clock = { offsetMs: 0 };
    const emulator = await startEmulator({
      fixture: team,
      now: () => Date.now() + clock.offsetMs,
      ...(options.webRoot ? { webRoot: options.webRoot } : {}),
    });
    const [bot] = team.bots;
    if (!bot || !team.appApi) throw new Error('The demo fixture needs a bot and AppAPI values.');
    const provision = path.join(folder, 'provision.yaml');
    await writeFile(
      provision,
      stringify(provisionFile(emulator.url, team.appApi, bot.secret, options.guests ?? false)),
    );
    const product = new Product(clock, bed, emulator, model, folder, bot.secret, provision, []);
    for (let i = 0; i < (options.replicas ?? 1); i += 1)
      product.replicas.push(await product.startReplica(provision, options.without ?? []));
    product.resetNextcloud({ shares: options.shares ?? [] });
    return product;
  }

  /** The demo's world anew, with the bot at the first replica's door, and with what is given instead of its own. */
  resetNextcloud(change: Partial<FixtureInput> = {}): void {
    const team = readDemoTeam();
    const url = `${this.replicas[0]?.urls.ingress}/webhook/talk/nuq`;
    const bots = (change.bots ?? team.bots).map((bot) => ({ ...bot, url }));
    this.emulator.reset({ ...team, ...change, bots });
  }

  /** What an administrator's command reads. */
  environment(): Record<string, string> {
    return {
      DATABASE_URL: this.bed.databaseUrl,
      NATS_URL: this.bed.natsUrl,
      REDIS_URL: this.bed.redisUrl,
      KEYS_DIR: this.bed.keysDir,
      PROVISION_FILE: this.provision,
    };
  }

  /** The Files tools as a service apart from the all-in-one, to be stopped and started. */
  async startToolFiles(): Promise<RunningService> {
    const gateway = this.replicas[0]?.urls.gateway ?? '';
    const service = await startToolFiles({
      config: {
        NATS_URL: this.bed.natsUrl,
        KEYS_DIR: this.bed.keysDir,
        GATEWAY_URL: gateway,
        LOG_LEVEL: 'silent',
      },
      logger: createLogger({ service: 'tool-files', level: 'silent' }),
    });
    this.parts.add(service);
    return {
      name: service.name,
      close: async () => {
        this.parts.delete(service);
        await service.close();
      },
    };
  }

  async write(user: string, text: string, more: object = {}): Promise<number> {
    const { id } = (await this.control('POST', `rooms/${TEAM_ROOM}/messages`, { user, text, ...more })) as {
      id: number;
    };
    return id;
  }

  async messages(after = 0): Promise<ChatMessage[]> {
    const { messages } = (await this.control('GET', `rooms/${TEAM_ROOM}/messages?after=${after}`)) as {
      messages: ChatMessage[];
    };
    return messages;
  }

  async answersTo(id: number): Promise<string[]> {
    const messages = await this.messages(id);
    return messages.flatMap(({ actorType, replyTo, message }) =>
      actorType === 'bots' && replyTo === id ? [message] : [],
    );
  }

  async answerTo(id: number): Promise<string> {
    const answers = await eventually(
      async () => {
        const found = await this.answersTo(id);
        return found.length > 0 ? found : false;
      },
      { describe: `an answer to message ${id}`, deadlineMs: 20_000 },
    );
    return answers[0] ?? '';
  }

  /** The bot's `count`th message after `id`, whatever it answers. */
  async nextOfBot(id: number, count = 1): Promise<string> {
    const found = await eventually(
      async () => {
        const ofBot = (await this.messages(id)).filter(({ actorType }) => actorType === 'bots');
        return ofBot.length >= count ? ofBot : false;
      },
      { describe: `${count} messages of the bot after ${id}`, deadlineMs: 20_000 },
    );
    return found[count - 1]?.message ?? '';
  }

  /** The answer, once Talk has taken it for good and the sign of work is gone again. */
  async ask(user: string, text: string, more: object = {}): Promise<string> {
    const id = await this.write(user, text, more);
    const answer = await this.answerTo(id);
    await eventually(
      async () =>
        !(await this.messages(id - 1)).some((message) => message.id === id && '👀' in message.reactions),
      { describe: `the end of the work on message ${id}`, deadlineMs: 20_000 },
    );
    return answer;
  }

  /** Posts a webhook to a replica's door the way Talk does. */
  async deliver(
    replica: number,
    body: string,
    over: { signature?: string; random?: string; bot?: string } = {},
  ): Promise<number> {
    const random = over.random ?? randomBytes(48).toString('base64');
    const signature =
      over.signature ?? createHmac('sha256', this.botSecret).update(random).update(body).digest('hex');
    const response = await fetch(
      `${this.replicas[replica]?.urls.ingress}/webhook/talk/${over.bot ?? 'nuq'}`,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-nextcloud-talk-random': random,
          'x-nextcloud-talk-signature': signature,
          'x-nextcloud-talk-backend': 'https://elsewhere.example/',
        },
        body,
      },
    );
    await response.arrayBuffer();
    return response.status;
  }

  /** Somebody writes in another room. */
  async writeIn(room: string, user: string, text: string): Promise<void> {
    await this.control('POST', `rooms/${room}/messages`, { user, text });
  }

  /** Alice's folder `/Docs` as the fixture has it; what went to the trash stays there. */
  async restoreDocs(): Promise<void> {
    const files = Object.entries(readDemoTeam().files['alice'] ?? {});
    await this.dav('DELETE', 'alice', '/Docs');
    for (const folder of ['/Docs', '/Docs/Archive', '/Docs/Archive/2025'])
      await this.dav('MKCOL', 'alice', folder);
    for (const [file, content] of files) {
      if (file.startsWith('/Docs/') && typeof content === 'string') await this.put('alice', file, content);
    }
  }

  async exists(user: string, file: string): Promise<boolean> {
    return (await this.dav('PROPFIND', user, file)).status === 207;
  }

  async content(user: string, file: string): Promise<string> {
    return (await this.dav('GET', user, file)).text();
  }

  /** The person changes a file by themselves. */
  async put(user: string, file: string, content: string): Promise<void> {
    // Nextcloud keeps the ETag of what changes twice within a second, and makes no version then.
    this.clock.offsetMs += 2_000;
    const { status } = await this.dav('PUT', user, file, content);
    this.clock.offsetMs += 2_000;
    if (status !== 201 && status !== 204) throw new Error(`PUT ${file} was answered ${status}`);
  }

  /** The webhook that told the bot of this message, byte for byte once more. */
  async replay(message: number): Promise<void> {
    const webhook = (await this.webhooks()).find(
      ({ body }) => body.startsWith('{"type":"Create"') && body.includes(`"id":"${message}"`),
    );
    if (!webhook) throw new Error(`No webhook told of message ${message}.`);
    await this.control('POST', `webhooks/${webhook.n}/replay`);
  }

  private dav(method: string, user: string, file: string, body?: string): Promise<Response> {
    const { password = '' } = readDemoTeam().users.find(({ id }) => id === user) ?? {};
    const path = file.split('/').map(encodeURIComponent).join('/');
    return fetch(`${this.emulator.url}/remote.php/dav/files/${user}${path}`, {
      method,
      headers: { authorization: `Basic ${btoa(`${user}:${password}`)}`, depth: '0' },
      ...(body === undefined ? {} : { body }),
    });
  }

  async webhooks(): Promise<Webhook[]> {
    return ((await this.control('GET', 'webhooks?after=0')) as { webhooks: Webhook[] }).webhooks;
  }

  async requests(): Promise<{ method: string; path: string; user: string | null; status: number }[]> {
    return ((await this.control('GET', 'requests?after=0')) as { requests: never[] }).requests;
  }

  async control(method: string, call: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.emulator.url}/_emulator/${call}`, {
      method,
      ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    if (!response.ok)
      throw new Error(`The emulator answered ${response.status} to ${method} ${call}: ${text}`);
    return text === '' ? null : (JSON.parse(text) as unknown);
  }

  async close(): Promise<void> {
    for (const part of [...this.parts].reverse()) await part.close();
    await Promise.all([this.emulator.close(), this.model.stop()]);
    await this.bed.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async startReplica(provision: string, without: readonly ServiceName[]): Promise<RunningAllInOne> {
    const replica = await startAllInOne({
      config: {
        DATABASE_URL: this.bed.databaseUrl,
        NATS_URL: this.bed.natsUrl,
        REDIS_URL: this.bed.redisUrl,
        DATA_DIR: this.folder,
        SPOOL_DIR: path.join(this.folder, `spool-${this.replicas.length}`),
        KEYS_DIR: this.bed.keysDir,
        ENCRYPTION_KEY: ENCRYPTION_KEY,
        APP_HOST: '127.0.0.1',
        APP_PORT: 0,
        GATEWAY_HOST: '127.0.0.1',
        GATEWAY_PORT: 0,
        OPENAI_BASE_URL: this.model.baseUrl,
        OPENAI_API_KEY: '',
        OPENAI_MODEL: 'scripted-test',
        CONFIRMATION_TTL_S: 600,
        PROVISION_FILE: provision,
        LOG_LEVEL: 'silent',
      },
      env: {},
      except: new Set<ServiceName>(['tool-files', ...without]),
    });
    this.parts.add(replica);
    return replica;
  }
}

const ENCRYPTION_KEY = randomBytes(32).toString('base64');

const provisionFile = (
  url: string,
  appApi: { id: string; secret: string },
  talkSecret: string,
  guests: boolean,
) => ({
  version: 1,
  instances: [{ id: 'default', url, appApi: { ...appApi, version: '0.1.0', bot: 'nuq' } }],
  bots: [
    {
      slug: 'nuq',
      instance: 'default',
      name: 'NuQ',
      talkSecret,
      triggers: ['nuq'],
      guests,
      tools: ['files_*'],
    },
  ],
});
