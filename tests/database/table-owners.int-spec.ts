import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DATABASE_SERVICES } from '@nuqloud/contracts';
import { findMigrations, migrate, TABLE_OWNERS } from '@nuqloud/database';
import { createTestDatabase } from '@nuqloud/testing';
import { Client } from 'pg';

/** The table names of information_schema after all migrations, Prisma's own left out. */
const tablesOfTheDatabase = async (): Promise<string[]> => {
  const database = await createTestDatabase();
  const client = new Client({ connectionString: database.url });
  try {
    await migrate(database.url);
    await client.connect();
    const { rows } = await client.query<{ table_name: string }>(
      `SELECT table_name FROM information_schema.tables
       WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_name <> '_prisma_migrations'`,
    );
    return rows.map((row) => row.table_name);
  } finally {
    await client.end();
    await database.drop();
  }
};

/** Table and owner of every model in schema.prisma, from `/// owner: <service>` and `@@map`. */
const ownersInSchema = (): Record<string, string | undefined> => {
  const schema = readFileSync(path.join(findMigrations(), '../schema.prisma'), 'utf8');
  const models = [...schema.matchAll(/((?:^\/\/\/.*\n)*)^model (\w+) \{([\s\S]*?)^\}/gm)];
  return Object.fromEntries(
    models.map(([, comment = '', name = '', body = '']) => [
      /@@map\("(\w+)"\)/.exec(body)?.[1] ?? name,
      /^\/\/\/ owner: ([a-z-]+)/.exec(comment)?.[1],
    ]),
  );
};

describe('table owners', () => {
  it('cover every table of the database, and no other', async () => {
    expect(Object.keys(TABLE_OWNERS).sort()).toEqual((await tablesOfTheDatabase()).sort());
  });

  it('are those that schema.prisma names in the comment above each model', () => {
    expect(ownersInSchema()).toEqual(TABLE_OWNERS);
  });

  it('are services with a database role', () => {
    expect(new Set(Object.values(TABLE_OWNERS))).toEqual(new Set(DATABASE_SERVICES));
  });
});
