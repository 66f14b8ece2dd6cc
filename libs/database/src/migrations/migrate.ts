import { randomUUID } from 'node:crypto';
import { AppError } from '@nuqloud/platform';
import type { Client } from 'pg';
import { inTransaction, withOwnerSession } from '../owner-session';
import { checkHistory } from './check-history';
import type { AppliedMigration } from './check-history';
import { findMigrations, readMigrations } from './migration-files';
import type { Migration } from './migration-files';

/** As Prisma makes it, so that `prisma migrate deploy` and this runner go on from each other's work. */
const CREATE_HISTORY = `
CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id"                  VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum"            VARCHAR(64) NOT NULL,
  "finished_at"         TIMESTAMPTZ,
  "migration_name"      VARCHAR(255) NOT NULL,
  "logs"                TEXT,
  "rolled_back_at"      TIMESTAMPTZ,
  "started_at"          TIMESTAMPTZ NOT NULL DEFAULT now(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`;

/** What the database has been through and what was not rolled back. */
export const READ_HISTORY = `
SELECT "migration_name" AS name, "checksum", "finished_at" IS NOT NULL AS finished
FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL ORDER BY "started_at"`;

const WRITE_HISTORY = `
INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "started_at", "finished_at", "applied_steps_count")
VALUES ($1, $2, $3, now(), now(), 1)`;

/**
 * Applies what is missing in the database, each file in one transaction, one runner at a time.
 * A statement that PostgreSQL refuses in a transaction (CREATE INDEX CONCURRENTLY) cannot stand in a migration.
 * @returns the names of the migrations applied now
 * @throws AppError DATABASE.HISTORY where files and database do not belong together,
 *   DATABASE.MIGRATION_FAILED where a file was refused (nothing of it remains)
 */
export const migrate = async (ownerUrl: string, folder: string = findMigrations()): Promise<string[]> => {
  const migrations = await readMigrations(folder);
  return withOwnerSession(ownerUrl, async (client) => {
    await client.query(CREATE_HISTORY);
    const { rows } = await client.query<AppliedMigration>(READ_HISTORY);
    const missing = checkHistory(migrations, rows);
    for (const migration of missing) await apply(client, migration);
    return missing.map(({ name }) => name);
  });
};

const apply = async (client: Client, migration: Migration): Promise<void> => {
  try {
    await inTransaction(client, async () => {
      await client.query(migration.sql);
      await client.query(WRITE_HISTORY, [randomUUID(), migration.checksum, migration.name]);
    });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'unknown error';
    throw new AppError(
      'DATABASE.MIGRATION_FAILED',
      `Migration ${migration.name} was not applied: ${reason}. Nothing of it remains in the database.`,
      { cause },
    );
  }
};
