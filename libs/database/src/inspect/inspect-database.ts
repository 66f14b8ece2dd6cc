import { checkHistory } from '../migrations/check-history';
import type { AppliedMigration } from '../migrations/check-history';
import { findMigrations, readMigrations } from '../migrations/migration-files';
import { READ_HISTORY } from '../migrations/migrate';
import { withSession } from '../owner-session';

export interface InspectedDatabase {
  /** PostgreSQL's, e.g. `15.10`. */
  readonly version: string;
  /** Migrations of this version that the database has not been through. */
  readonly missing: readonly string[];
}

/**
 * Looks at the database without changing it.
 * @param url with the owner's login
 * @throws AppError DATABASE.UNREACHABLE, DATABASE.HISTORY where files and database do not belong together
 */
export const inspectDatabase = (url: string, folder: string = findMigrations()): Promise<InspectedDatabase> =>
  withSession(url, async (client) => {
    const { rows } = await client.query<{ version: string; migrated: boolean }>(
      `SELECT current_setting('server_version') AS version, to_regclass('_prisma_migrations') IS NOT NULL AS migrated`,
    );
    const [{ version = '', migrated = false } = {}] = rows;
    const applied = migrated ? (await client.query<AppliedMigration>(READ_HISTORY)).rows : [];
    const missing = checkHistory(await readMigrations(folder), applied);
    return { version, missing: missing.map(({ name }) => name) };
  });
