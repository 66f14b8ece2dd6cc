import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@nuqloud/platform';

export interface Migration {
  /** Name of its folder, e.g. `20261130194500_init`. */
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the file in hex, as Prisma stores it. */
  readonly checksum: string;
}

const FOLDER = path.join('prisma', 'migrations');
const LOCK_FILE = 'migration_lock.toml';
const MIGRATION_NAME = /^\d{14}_\w+$/;

/**
 * The nearest `prisma/migrations` in a folder above this file. That is the repository's from `src` (jest) and
 * from `dist`; an image keeps `prisma/` beside `libs/` or `node_modules/`.
 * @throws AppError DATABASE.NO_MIGRATIONS
 */
export const findMigrations = (from: string = __dirname): string => {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, FOLDER);
    if (existsSync(path.join(candidate, LOCK_FILE))) return candidate;
    if (folder === path.dirname(folder)) break;
  }
  throw new AppError(
    'DATABASE.NO_MIGRATIONS',
    `No folder above ${from} has ${FOLDER}: it must be part of the installation.`,
  );
};

/** All migrations of a folder, oldest first. */
export const readMigrations = async (folder: string): Promise<Migration[]> => {
  const names = (await readdir(folder)).filter((name) => MIGRATION_NAME.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const content = await readFile(path.join(folder, name, 'migration.sql'));
      return {
        name,
        sql: content.toString('utf8'),
        checksum: createHash('sha256').update(content).digest('hex'),
      };
    }),
  );
};
