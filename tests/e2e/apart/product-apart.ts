import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SERVICES } from '@nuqloud/contracts';
import type { ServiceName } from '@nuqloud/contracts';
import { createPrisma } from '@nuqloud/database';
import type { PrismaClient } from '@nuqloud/database';
import { readDemoTeam, startEmulator } from '@nuqloud/nextcloud-emulator';
import type { Emulator } from '@nuqloud/nextcloud-emulator';
import { eventually, pickFreePort, startDemoModel, startTestBed } from '@nuqloud/testing';
import type { GivenStores, ModelServer, TestBed } from '@nuqloud/testing';
import { stringify } from 'yaml';
import { Room } from './room';
import { ServiceProcess } from './service-process';
import { Wire } from './wire';

/** Stores and neighbours that a service talks to over a wire of its own. */
type Neighbour = 'bus' | 'database' | 'gateway' | 'nextcloud';

/** Every service a process of its own, on real stores, with a wire in each of its connections that matters. */
export class ProductApart {
  private constructor(
    readonly bed: TestBed,
    readonly owner: PrismaClient,
    readonly emulator: Emulator,
    private readonly model: Pick<ModelServer, 'baseUrl' | 'stop'>,
    private readonly folder: string,
    /** talk-ingress's door. */
    readonly webhookUrl: string,
    private readonly services: Readonly<Record<ServiceName, ServiceProcess>>,
    private readonly wires: Readonly<Record<ServiceName, Readonly<Record<Neighbour, Wire>>>>,
  ) {}

  /**
   * @param rooms each with a file in Alice's `/Kill` that bears its name
   * @param options.model the demo's unless given
   * @param options.stores of the test's own, in place of those that all test files share
   * @param options.secrets of the environment, in place of made-up ones
   */
  static async start(rooms: readonly string[], options: ApartOptions = {}): Promise<ProductApart> {
    const [bed, model, folder, appPort, gatewayPort] = await Promise.all([
      startTestBed([], options.stores),
      options.model ?? startDemoModel(),
      mkdtemp(path.join(tmpdir(), 'nuqloud-killed-')),
      pickFreePort(),
      pickFreePort(),
    ]);
    const secrets = { ...SECRETS, ...options.secrets };
    const emulator = await startEmulator({ fixture: world(rooms, appPort, secrets) });
    const provision = path.join(folder, 'provision.yaml');
    await writeFile(provision, stringify(PROVISION));
    const gateway = `http://127.0.0.1:${gatewayPort}`;
    const urls = { bus: bed.natsUrl, database: bed.databaseUrl, gateway, nextcloud: emulator.url };
    const [wires, common] = [await wiresTo(urls), environment(bed, provision, appPort, gatewayPort)];
    const services = eachService((name) => {
      const { bus, database, gateway: door, nextcloud } = wires[name];
      return new ServiceProcess(name, {
        ...common,
        ...secrets,
        LOG_LEVEL: options.logLevel ?? 'info',
        NATS_URL: bus.url,
        DATABASE_URL: database.url,
        GATEWAY_URL: door.url,
        NEXTCLOUD_URL: nextcloud.url,
        OPENAI_BASE_URL: model.baseUrl,
      });
    });
    const owner = createPrisma(bed.databaseUrl);
    const product = new ProductApart(bed, owner, emulator, model, folder, webhook(appPort), services, wires);
    try {
      await Promise.all(SERVICES.map((name) => services[name].start()));
    } catch (error) {
      await product.close();
      throw error;
    }
    return product;
  }

  room(name: string): Room {
    return new Room(this.emulator.url, name);
  }

  /** The wire between a service and a neighbour. */
  wire(service: ServiceName, neighbour: Neighbour): Wire {
    return this.wires[service][neighbour];
  }

  kill(service: ServiceName): Promise<void> {
    return this.services[service].kill();
  }

  /** SIGTERM. @returns the exit code, once the process has ended */
  terminate(service: ServiceName): Promise<number | null> {
    return this.services[service].terminate();
  }

  /** For all services, while `meanwhile` runs: no connection to Nextcloud stands, and none can be made. */
  async withoutNextcloud(meanwhile: () => Promise<void>): Promise<void> {
    const wires = SERVICES.map((name) => this.wires[name].nextcloud);
    for (const wire of wires) wire.cut();
    await meanwhile();
    for (const wire of wires) wire.mend();
  }

  start(service: ServiceName): Promise<void> {
    return this.services[service].start();
  }

  async restart(service: ServiceName): Promise<void> {
    await this.kill(service);
    await this.start(service);
  }

  logOf(service: ServiceName): string {
    return this.services[service].lines;
  }

  /** A dead worker's room is free after ten seconds: they are over now. */
  async letLeasesRunOut(): Promise<void> {
    await this.owner.$executeRaw`UPDATE agent_leases SET expires_at = now()`;
  }

  /** What a dead process was posting is taken up again after fifteen seconds: they are over now. */
  async letPostingRunOut(): Promise<void> {
    await this.owner
      .$executeRaw`UPDATE ingress_posts SET claimed_until = now() WHERE claimed_until IS NOT NULL`;
  }

  async toolsAreThere(room: string): Promise<void> {
    await eventually(async () => (await this.room(room).help()).includes('**Delete'), {
      describe: 'the Files tools',
      deadlineMs: 30_000,
    });
  }

  async close(): Promise<void> {
    await Promise.all(SERVICES.map((name) => this.services[name].kill()));
    for (const wires of Object.values(this.wires)) for (const wire of Object.values(wires)) wire.close();
    await Promise.all([this.owner.$disconnect(), this.emulator.close(), this.model.stop()]);
    await this.bed.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

const eachService = <T>(make: (name: ServiceName) => T) =>
  Object.fromEntries(SERVICES.map((name) => [name, make(name)])) as Record<ServiceName, T>;

const wiresTo = async (urls: Readonly<Record<Neighbour, string>>) => {
  const wires = eachService(async () => {
    const made = Object.entries(urls).map(async ([name, url]) => [name, await Wire.to(url)] as const);
    return Object.fromEntries(await Promise.all(made)) as Record<Neighbour, Wire>;
  });
  const ready = SERVICES.map(async (name) => [name, await wires[name]] as const);
  return Object.fromEntries(await Promise.all(ready)) as Record<ServiceName, Record<Neighbour, Wire>>;
};

const PROVISION = {
  version: 1,
  instances: [
    {
      id: 'default',
      url: '${NEXTCLOUD_URL}',
      appApi: { id: '${APP_ID}', secret: '${APP_SECRET}', version: '0.1.0', bot: 'nuq' },
      historyReader: 'bob',
    },
  ],
  bots: [
    {
      slug: 'nuq',
      instance: 'default',
      name: 'NuQ',
      talkSecret: '${TALK_BOT_SECRET}',
      triggers: ['nuq'],
      tools: ['files_*'],
    },
  ],
};

const { appApi, bots: teamBots } = readDemoTeam();
const [teamBot] = teamBots;
if (!teamBot || !appApi) throw new Error('The demo fixture needs a bot and AppAPI values.');

/** Secrets of an installation that stand in its environment. */
const SECRETS = {
  APP_SECRET: appApi.secret,
  TALK_BOT_SECRET: teamBot.secret,
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  OPENAI_API_KEY: '',
};
export type Secrets = Readonly<typeof SECRETS>;

export interface ApartOptions {
  readonly model?: Pick<ModelServer, 'baseUrl' | 'stop'>;
  readonly secrets?: Secrets;
  readonly logLevel?: string;
  /** That the test may restart. */
  readonly stores?: GivenStores;
}

const environment = (bed: TestBed, provision: string, appPort: number, gatewayPort: number) => ({
  REDIS_URL: bed.redisUrl,
  KEYS_DIR: bed.keysDir,
  PROVISION_FILE: provision,
  SPOOL_DIR: path.join(path.dirname(provision), 'spool'),
  APP_ID: appApi.id,
  APP_PORT: String(appPort),
  GATEWAY_PORT: String(gatewayPort),
  OPENAI_MODEL: 'demo',
});

const webhook = (appPort: number) => `http://127.0.0.1:${appPort}/webhook/talk/nuq`;

const world = (rooms: readonly string[], appPort: number, secrets: Secrets) => {
  const team = readDemoTeam();
  const files = Object.fromEntries(rooms.map((name) => [`/Kill/${name}.md`, `the file of ${name}`]));
  return {
    ...team,
    appApi: { ...appApi, secret: secrets.APP_SECRET },
    bots: [{ ...teamBot, secret: secrets.TALK_BOT_SECRET, url: webhook(appPort) }],
    rooms: rooms.map((name) => ({
      token: name,
      name,
      type: 'group' as const,
      members: ['users/alice', 'users/bob'],
      bots: [teamBot.name],
    })),
    files: { alice: { '/Kill/': null, ...files } },
  };
};
