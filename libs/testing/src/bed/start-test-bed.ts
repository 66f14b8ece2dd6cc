import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { DatabaseService, PrivateKeyFile, PublicKeyFile } from '@nuqloud/contracts';
import { BUS_ACCESS, DATABASE_SERVICES, STREAMS, toolServiceAccess } from '@nuqloud/contracts';
import { ensureRoles, migrate } from '@nuqloud/database';
import { Bus, ensureStreams, serverConfig } from '@nuqloud/messaging';
import { initKeys, KEY_OWNERS, readPrivateKeys, readPublicKeys, writeKeyFile } from '@nuqloud/platform';
import { createTestDatabase } from '../jest/test-database';
import { createTestRedis } from '../jest/test-redis';
import { makePrivateFolder } from '../stores/private-folder';
import { startNats } from '../stores/start-nats';
import type { RunningNats } from '../stores/start-nats';

/** The three stores as an installation has them: keys, permissions, migrations, roles, streams. */
export interface TestBed {
  readonly keysDir: string;
  readonly publicKeys: PublicKeyFile;
  readonly natsUrl: string;
  readonly nats: RunningNats;
  /** With the owner's login. */
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** Private keys, to play a service or to forge one. */
  keysOf(service: string): Promise<PrivateKeyFile>;
  /** A connection with that service's own credentials; closed with the bed. */
  busOf(service: string): Promise<Bus>;
  close(): Promise<void>;
}

/** Stores that the test itself starts and ends. */
export interface GivenStores {
  /** An empty database, with the owner's login. */
  readonly databaseUrl?: string;
  readonly redisUrl?: string;
}

/**
 * For a test file of its own: a NATS server, a database and keys nobody else uses.
 * @param providers ids of further tool providers; `acme` connects as the service `tool-acme`
 * @param given stores of the test's own, which it may restart, in place of those that all test files share
 */
export const startTestBed = async (
  providers: readonly string[] = [],
  given: GivenStores = {},
): Promise<TestBed> => {
  const keysDir = path.join(makePrivateFolder('keys'), 'keys');
  const guests = Object.fromEntries(providers.map((id) => [`tool-${id}`, toolServiceAccess(id)]));
  const access = { ...BUS_ACCESS, ...guests };
  await initKeys(keysDir, [...KEY_OWNERS, ...Object.keys(guests)]);
  const database = given.databaseUrl === undefined ? await createTestDatabase() : { url: given.databaseUrl };
  const passwords = await shareDatabasePasswords(keysDir, database.url);
  await migrate(database.url);
  await ensureRoles(database.url, passwords);
  const publicKeys = await readPublicKeys(keysDir);
  const nats = await startNats({
    config: ({ port, monitorPort, storeDir }) =>
      serverConfig({
        keys: publicKeys,
        access,
        streams: STREAMS,
        host: '127.0.0.1',
        port,
        monitor: { host: '127.0.0.1', port: monitorPort },
        storeDir,
      }),
  });
  const connections: Bus[] = [];
  const keysOf = (service: string) => readPrivateKeys(keysDir, service);
  const busOf = async (service: string) => {
    const bus = await Bus.connect({ url: nats.url, service, natsSeed: (await keysOf(service)).natsSeed });
    connections.push(bus);
    return bus;
  };
  await ensureStreams((await busOf('provisioner')).connection, STREAMS);
  return {
    keysDir,
    publicKeys,
    natsUrl: nats.url,
    nats,
    databaseUrl: database.url,
    redisUrl: given.redisUrl ?? (await createTestRedis()),
    keysOf,
    busOf,
    close: async () => {
      await Promise.all(connections.map((bus) => bus.close()));
      await nats.stop();
      if ('drop' in database) await database.drop();
      await rm(path.dirname(keysDir), { recursive: true, force: true });
    },
  };
};

/** Roles belong to the whole PostgreSQL server, which test files share, so their passwords must be the same for all. */
const shareDatabasePasswords = async (
  keysDir: string,
  databaseUrl: string,
): Promise<Record<DatabaseService, string>> => {
  const { host } = new URL(databaseUrl);
  const entries = DATABASE_SERVICES.map(async (service) => {
    const databasePassword = createHash('sha256').update(`test ${host} ${service}`).digest('base64url');
    const keys = await readPrivateKeys(keysDir, service);
    await writeKeyFile(path.join(keysDir, `${service}.json`), { ...keys, databasePassword }, 0o600);
    return [service, databasePassword] as const;
  });
  return Object.fromEntries(await Promise.all(entries)) as Record<DatabaseService, string>;
};
