import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startAgent } from '@nuqloud/agent';
import { startAllInOne } from '@nuqloud/all-in-one';
import { startConfirmation } from '@nuqloud/confirmation';
import { BUS_ACCESS } from '@nuqloud/contracts';
import { createPrisma } from '@nuqloud/database';
import type { PrismaClient } from '@nuqloud/database';
import { serverConfig } from '@nuqloud/messaging';
import { startGateway } from '@nuqloud/nextcloud-gateway';
import { createLogger, readPrivateKeys, writeKeyFile } from '@nuqloud/platform';
import type { RunningService } from '@nuqloud/platform';
import { startTalkIngress } from '@nuqloud/talk-ingress';
import { eventually, pickFreePort, startNats, startTestBed } from '@nuqloud/testing';
import type { RunningNats, TestBed } from '@nuqloud/testing';

let bed: TestBed;
/** Knows the same keys and has no streams. */
let emptyNats: RunningNats;
let owner: PrismaClient;
let taken: Server;
let folder: string;

beforeAll(async () => {
  bed = await startTestBed();
  owner = createPrisma(bed.databaseUrl);
  folder = await mkdtemp(path.join(tmpdir(), 'nuqloud-starts-'));
  taken = createServer();
  await once(taken.listen(0, '127.0.0.1'), 'listening');
  emptyNats = await startNats({
    config: ({ port, monitorPort, storeDir }) =>
      serverConfig({
        keys: bed.publicKeys,
        access: BUS_ACCESS,
        streams: [],
        host: '127.0.0.1',
        port,
        monitor: { host: '127.0.0.1', port: monitorPort },
        storeDir,
      }),
  });
});

afterAll(async () => {
  taken.close();
  await owner.$disconnect();
  await emptyNats.stop();
  await bed.close();
  await rm(folder, { recursive: true, force: true });
});

/** Everything any of the services needs; the doors' port is taken. */
const configWith = (over: { DATABASE_URL?: string; KEYS_DIR?: string; NATS_URL?: string } = {}) => {
  const { port } = taken.address() as AddressInfo;
  return {
    DATABASE_URL: bed.databaseUrl,
    NATS_URL: emptyNats.url,
    REDIS_URL: bed.redisUrl,
    KEYS_DIR: bed.keysDir,
    DATA_DIR: folder,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    APP_HOST: '127.0.0.1',
    APP_PORT: port,
    GATEWAY_HOST: '127.0.0.1',
    GATEWAY_PORT: port,
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
    OPENAI_API_KEY: '',
    OPENAI_MODEL: 'none',
    CONFIRMATION_TTL_S: 600,
    PROVISION_FILE: undefined,
    SPOOL_DIR: undefined,
    LOG_LEVEL: 'silent' as const,
    ...over,
  };
};

type Config = ReturnType<typeof configWith>;
const logger = createLogger({ service: 'test', level: 'silent' });

const SERVICES: [string, (config: Config) => Promise<RunningService>][] = [
  ['talk-ingress', (config) => startTalkIngress({ config, env: {}, logger })],
  ['nextcloud-gateway', (config) => startGateway({ config, env: {}, logger })],
  ['confirmation', (config) => startConfirmation({ config, env: {}, logger })],
  ['agent', (config) => startAgent({ config, env: {}, logger })],
];

const failureOf = async (start: Promise<RunningService>): Promise<{ code?: string; message: string }> => {
  try {
    const running = await start;
    await running.close();
  } catch (error) {
    return error as Error;
  }
  throw new Error('It started.');
};

/** Sessions of the services' roles in this database. */
const sessions = async (): Promise<number> => {
  const [row] = await owner.$queryRaw<{ n: number }[]>`
    SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND usename LIKE 'nuqloud_%'
      AND usename <> current_user`;
  return row?.n ?? 0;
};

const busConnections = async (): Promise<number> => {
  const answer = await fetch(`http://127.0.0.1:${emptyNats.monitorPort}/connz`);
  return ((await answer.json()) as { num_connections: number }).num_connections;
};

const nothingIsOpen = () =>
  eventually(async () => (await sessions()) === 0 && (await busConnections()) === 0, {
    describe: 'the end of every connection',
  });

describe.each(SERVICES)('%s', (name, start) => {
  it('names the variable when no database answers', async () => {
    const url = new URL(bed.databaseUrl);
    url.port = String(await pickFreePort());
    const failure = await failureOf(start(configWith({ DATABASE_URL: url.href })));
    expect(failure).toMatchObject({
      code: 'DATABASE.UNREACHABLE',
      message: 'DATABASE_URL cannot be used: the server does not answer.',
    });
  });

  it('names the variable and the role when the database refuses it, and never the password', async () => {
    const keysDir = path.join(folder, `keys-of-${name}`);
    await cp(bed.keysDir, keysDir, { recursive: true });
    const databasePassword = 'a-password-that-nobody-set';
    const keys = await readPrivateKeys(keysDir, name);
    await writeKeyFile(path.join(keysDir, `${name}.json`), { ...keys, databasePassword }, 0o600);
    const failure = await failureOf(start(configWith({ KEYS_DIR: keysDir })));
    expect(failure.code).toBe('DATABASE.UNREACHABLE');
    expect(failure.message).toContain('DATABASE_URL cannot be used');
    expect(failure.message).toContain(`nuqloud_${name.replaceAll('-', '_')}`);
    expect(failure.message).not.toContain(databasePassword);
  });

  it('leaves nothing open when it fails half-way', async () => {
    const failure = await failureOf(start(configWith()));
    // Who has no door needs a stream; the others find their port taken.
    expect(failure.code).toBe(name === 'agent' || name === 'confirmation' ? 'BUS.NOT_SET_UP' : 'EADDRINUSE');
    await nothingIsOpen();
  });
});

describe('all-in-one', () => {
  it('ends what had started when one of its services does not', async () => {
    const config = { ...configWith({ NATS_URL: bed.natsUrl }), GATEWAY_PORT: 0 };
    const failure = await failureOf(startAllInOne({ config, env: {}, except: new Set() }));
    expect(failure.code).toBe('EADDRINUSE');
    await nothingIsOpen();
    const monitor = await bed.busOf('monitor');
    // No responders: none of them is registered any more.
    await expect(monitor.connection.request('$SRV.PING')).rejects.toMatchObject({ code: '503' });
  });
});
