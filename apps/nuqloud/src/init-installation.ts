import { DATABASE_SERVICES, STREAMS } from '@nuqloud/contracts';
import { ensureRoles, migrate } from '@nuqloud/database';
import type { ServicePasswords } from '@nuqloud/database';
import { readPrivateKeys } from '@nuqloud/platform';
import { provisionStreams } from './provision-streams';

export interface InstallationOptions {
  /** With the login of the database's owner. */
  readonly databaseUrl: string;
  /** Comma-separated nats:// URLs of servers that run with `KEYS_DIR/nats.conf`. */
  readonly natsUrl: string;
  readonly keysDir: string;
}

export interface Installation {
  /** Migrations that were applied now. */
  readonly migrations: readonly string[];
}

/**
 * Brings both stores to what this version needs: tables, one database role per service, streams. Doing it again
 * changes nothing, and several may do it at once. The all-in-one does the same at its start.
 * @throws AppError that says which variable or key is wrong
 */
export const initInstallation = async (options: InstallationOptions): Promise<Installation> => {
  const { databaseUrl, natsUrl, keysDir } = options;
  const [passwords, provisioner] = await Promise.all([
    readPasswords(keysDir),
    readPrivateKeys(keysDir, 'provisioner'),
  ]);
  const migrations = await migrate(databaseUrl);
  await ensureRoles(databaseUrl, passwords);
  await provisionStreams(natsUrl, provisioner.natsSeed, STREAMS);
  return { migrations };
};

const readPasswords = async (keysDir: string): Promise<ServicePasswords> => {
  const passwords = DATABASE_SERVICES.map(async (service) => {
    const { databasePassword } = await readPrivateKeys(keysDir, service);
    return [service, databasePassword] as const;
  });
  return Object.fromEntries(await Promise.all(passwords)) as ServicePasswords;
};
