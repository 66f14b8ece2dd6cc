import { execFile } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { findMigrations, migrate } from '@nuqloud/database';
import { isAppError } from '@nuqloud/platform';
import { createTestDatabase } from '@nuqloud/testing';
import type { TestDatabase } from '@nuqloud/testing';
import { Client } from 'pg';

const PRISMA_DEPLOY = path.join(__dirname, 'fixtures/prisma-deploy.mjs');

const prismaDeploy = async (url: string): Promise<string[]> => {
  const { stdout } = await promisify(execFile)(process.execPath, [PRISMA_DEPLOY], {
    env: { ...process.env, DATABASE_URL: url },
  });
  return JSON.parse(stdout) as string[];
};

const query = async (url: string, sql: string): Promise<unknown[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows;
  } finally {
    await client.end();
  }
};

const tableNames = async (url: string) =>
  (await query(url, `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`)).map(
    (row) => (row as { table_name: string }).table_name,
  );

/** Prisma's engine takes seconds to load. */
jest.setTimeout(60_000);

describe('migrate', () => {
  let database: TestDatabase;
  let folder: string;
  beforeEach(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(path.join(tmpdir(), 'nuqloud-migrations-'));
    await cp(findMigrations(), folder, { recursive: true });
  });
  afterEach(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  const addMigration = async (name: string, sql: string): Promise<void> => {
    await mkdir(path.join(folder, name));
    await writeFile(path.join(folder, name, 'migration.sql'), sql);
  };

  it('makes every table in an empty database, and nothing in a migrated one', async () => {
    const applied = await migrate(database.url);
    expect(applied[0]).toMatch(/^\d{14}_init$/);
    expect(await tableNames(database.url)).toEqual(expect.arrayContaining(['agent_inbox', 'ingress_posts']));
    expect(await migrate(database.url)).toEqual([]);
  });

  it('applies only what a later version added', async () => {
    await migrate(database.url);
    await addMigration('29990101000000_more', 'CREATE TABLE "more" ("id" INT PRIMARY KEY);');
    expect(await migrate(database.url, folder)).toEqual(['29990101000000_more']);
  });

  it('applies each migration once when several start together', async () => {
    const applied = await Promise.all([1, 2, 3].map(() => migrate(database.url)));
    expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
    expect(await query(database.url, 'SELECT 1 FROM "_prisma_migrations"')).toHaveLength(
      applied.flat().length,
    );
  });

  it('refuses a migration that was edited after it was applied, and names it', async () => {
    const [init] = await migrate(database.url, folder);
    await appendFile(path.join(folder, String(init), 'migration.sql'), '-- a late thought\n');
    const refusal = await migrate(database.url, folder).catch((error: unknown) => error);
    expect(isAppError(refusal, 'DATABASE.HISTORY')).toBe(true);
    expect((refusal as Error).message).toContain(`${init} was changed after it was applied`);
  });

  it('refuses a database of a later version, which would lose rights it knows nothing of', async () => {
    await addMigration('29990101000000_more', 'CREATE TABLE "more" ("id" INT PRIMARY KEY);');
    await migrate(database.url, folder);
    await expect(migrate(database.url)).rejects.toThrow(
      /29990101000000_more, which this version does not know/,
    );
  });

  it('leaves nothing of a migration that fails half-way, and goes on once it is mended', async () => {
    const name = '29990101000000_broken';
    await addMigration(name, 'CREATE TABLE "half" ("id" INT); CREATE TABLE "half" ("id" INT);');
    await expect(migrate(database.url, folder)).rejects.toMatchObject({ code: 'DATABASE.MIGRATION_FAILED' });
    expect(await tableNames(database.url)).not.toContain('half');

    await writeFile(path.join(folder, name, 'migration.sql'), 'CREATE TABLE "half" ("id" INT);');
    expect(await migrate(database.url, folder)).toEqual([name]);
  });

  it("leaves nothing to do for Prisma's own engine, and finds nothing to do after it", async () => {
    await migrate(database.url);
    expect(await prismaDeploy(database.url)).toEqual([]);

    const other = await createTestDatabase();
    try {
      expect(await prismaDeploy(other.url)).not.toEqual([]);
      expect(await migrate(other.url)).toEqual([]);
    } finally {
      await other.drop();
    }
  });

  it('says which variable is wrong when the database cannot be reached, without the password', async () => {
    const url = new URL(database.url);
    url.password = 'not-the-password-at-all';
    const refusal = await migrate(url.href).catch((error: unknown) => error);
    expect(isAppError(refusal, 'DATABASE.UNREACHABLE')).toBe(true);
    expect((refusal as Error).message).toMatch(/^DATABASE_URL cannot be used: /);
    expect((refusal as Error).message).not.toContain('not-the-password-at-all');
  });
});
