import { AppError } from '@nuqloud/platform';
import type { Migration } from './migration-files';

/** A row of Prisma's history that was not rolled back. */
export interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
  readonly finished: boolean;
}

/**
 * Compares the files with what the database says it has been through.
 * @returns the files that are still to be applied
 * @throws AppError DATABASE.HISTORY
 */
export const checkHistory = (
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): Migration[] => {
  const files = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { name, checksum, finished } of applied) {
    const file = files.get(name);
    if (!finished) refuse(`${name} was begun by another tool and never finished`, RESOLVE);
    if (!file) refuse(`it has been through ${name}, which this version does not know`, UPGRADE);
    if (file.checksum !== checksum) refuse(`${name} was changed after it was applied`, RESTORE);
  }
  const done = new Set(applied.map(({ name }) => name));
  return migrations.filter(({ name }) => !done.has(name));
};

const RESOLVE = 'Repair it by hand and tell `prisma migrate resolve`';
const UPGRADE = 'Run the version that migrated it, or a later one';
const RESTORE =
  'Put the file back as it was and write a new migration (while developing: begin with an empty database)';

function refuse(found: string, remedy: string): never {
  throw new AppError('DATABASE.HISTORY', `The database cannot be migrated: ${found}. ${remedy}.`);
}
