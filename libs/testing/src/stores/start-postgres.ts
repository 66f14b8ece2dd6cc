import { rmSync } from 'node:fs';
import path from 'node:path';

import { Client } from 'pg';

import type { RunningStore } from './local-store';
import { foreignStore, LocalStore } from './local-store';
import { ADMINISTRATOR, ensureCluster, serverArguments } from './postgres-cluster';
import type { PostgresHome } from './postgres-home';
import { openPostgresHome, reachablePrograms } from './postgres-home';
import { StoreFailed } from './store-errors';
import { findPostgresPrograms } from './store-programs';

const DATABASE_NAME = /^[a-z][a-z0-9_]{0,62}$/;

export interface PostgresOptions {
  /** Keeps the data beyond `stop`; a temporary folder unless given. */
  dataDir?: string | undefined;
  /** Whether what was committed survives a crash of the machine. Tests do without (default), a demo may want it. */
  durable?: boolean | undefined;
  /** A random free one unless given. */
  port?: number | undefined;
  /** A server that somebody else runs, with the credentials of its administrator; nothing is started then. */
  url?: string | undefined;
}

export interface RunningPostgres extends RunningStore {
  /** Why `dataDir` could not be used, in words for a person; undefined when all is as wanted. */
  readonly notice: string | undefined;
  /** Creates the database unless it is there. Returns its URL with the administrator's credentials. */
  createDatabase(name: string): Promise<string>;
  /** Removes the database if it is there, and cuts off whoever uses it. */
  dropDatabase(name: string): Promise<void>;
}

/**
 * Starts PostgreSQL on 127.0.0.1 with a random password. Root runs it as an unprivileged user.
 * @throws StoreMissing, StoreFailed
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<RunningPostgres> {
  if (options.url) {
    return { ...foreignStore('PostgreSQL', options.url), notice: undefined, ...databases(options.url) };
  }
  const programs = findPostgresPrograms();
  const home = openPostgresHome(options.dataDir);
  try {
    return await startIn(home, reachablePrograms(programs, home), options);
  } catch (error) {
    rmSync(home.workFolder, { recursive: true, force: true });
    throw error;
  }
}

async function startIn(
  home: PostgresHome,
  binDir: string,
  options: PostgresOptions,
): Promise<RunningPostgres> {
  const password = await ensureCluster(home, binDir);
  const urlAt = (port: number) => `postgresql://${ADMINISTRATOR}:${password}@127.0.0.1:${port}/postgres`;
  const store = await LocalStore.start({
    name: 'PostgreSQL',
    port: options.port,
    temporaryFolders: [home.workFolder],
    prepare: (port) =>
      Promise.resolve({
        command: path.join(binDir, 'postgres'),
        args: serverArguments(home, port, options.durable ?? false),
        user: home.user,
        stopSignal: 'SIGINT', // "fast shutdown": does not wait until clients go
        logFile: path.join(home.workFolder, 'log'),
      }),
    accepts: (port) => acceptsQueries(urlAt(port)),
  });
  return {
    url: urlAt(store.port),
    port: store.port,
    notice: home.notice,
    ...databases(urlAt(store.port)),
    stop: () => store.stop(),
    kill: () => store.kill(),
    restart: () => store.restart(),
  };
}

/** Creating and dropping of databases on the server of that URL. */
export function databases(serverUrl: string): Pick<RunningPostgres, 'createDatabase' | 'dropDatabase'> {
  return {
    createDatabase: (name) =>
      withClient(serverUrl, async (client) => {
        const quoted = quote(name);
        const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
        if (rowCount === 0) await client.query(`CREATE DATABASE ${quoted}`);
        const url = new URL(serverUrl);
        url.pathname = `/${name}`;
        return url.href;
      }),
    dropDatabase: (name) =>
      withClient(serverUrl, async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${quote(name)} WITH (FORCE)`);
      }),
  };
}

function quote(name: string): string {
  if (DATABASE_NAME.test(name)) return `"${name}"`;
  throw new StoreFailed(
    `"${name}" is no database name: lower-case letters, digits and _, at most 63, a letter first.`,
  );
}

async function acceptsQueries(url: string): Promise<boolean> {
  try {
    return await withClient(url, () => Promise.resolve(true));
  } catch {
    return false; // not yet: refused, starting up, or somebody else's server that does not know our password
  }
}

async function withClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // A server that dies under an idle client reports it here as well as in the next query.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
