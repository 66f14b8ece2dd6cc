import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import type { PostgresHome } from './postgres-home';
import { CLUSTER } from './postgres-home';
import { StoreFailed } from './store-errors';
import { SupervisedProcess } from './supervised-process';

/** The role that owns everything; every other role is made by the product itself. */
export const ADMINISTRATOR = 'nuqloud';

/** A crash of the machine may break the data; a crash of PostgreSQL loses nothing that was committed. */
const NOT_DURABLE = ['fsync=off', 'full_page_writes=off'];

/** Makes the cluster unless it is there. Returns its administrator's password. */
export async function ensureCluster(home: PostgresHome, binDir: string): Promise<string> {
  const cluster = path.join(home.folder, CLUSTER);
  const passwordFile = path.join(home.folder, 'password');
  if (existsSync(cluster)) return readPassword(home.folder, passwordFile);

  const password = randomBytes(16).toString('hex');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (home.user) chownSync(passwordFile, home.user.uid, home.user.gid);
  // A cluster that was begun and never finished must not be taken for one: only the last step gives it its name.
  const unfinished = `${cluster}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  await initialise(home, binDir, unfinished, passwordFile);
  renameSync(unfinished, cluster);
  return password;
}

/** The arguments of `postgres`: TCP on the loopback address only, and nothing of what people wrote in its log. */
export function serverArguments(home: PostgresHome, port: number, durable: boolean): string[] {
  const settings = [
    ...[`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=300'],
    ...['log_min_error_statement=panic', 'log_error_verbosity=terse', 'logging_collector=off'],
    ...(durable ? [] : NOT_DURABLE),
  ];
  return ['-D', path.join(home.folder, CLUSTER), ...settings.flatMap((setting) => ['-c', setting])];
}

async function initialise(
  home: PostgresHome,
  binDir: string,
  cluster: string,
  passwordFile: string,
): Promise<void> {
  const initdb = SupervisedProcess.start({
    command: path.join(binDir, 'initdb'),
    args: [
      ...['--pgdata', cluster, '--username', ADMINISTRATOR, '--pwfile', passwordFile],
      ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--locale', 'C', '--no-sync', '--no-instructions'],
    ],
    user: home.user,
    stopSignal: 'SIGTERM',
    logFile: path.join(home.workFolder, 'log'),
    temporaryFolders: [home.workFolder],
  });
  if ((await initdb.finished()) !== 0) throw new StoreFailed('initdb did not succeed.', initdb.lastLines());
}

function readPassword(folder: string, passwordFile: string): string {
  try {
    return readFileSync(passwordFile, 'utf8');
  } catch (cause) {
    const reason = 'Run this as the user it belongs to, or remove the folder to begin anew.';
    throw new StoreFailed(`The PostgreSQL data in ${folder} cannot be opened. ${reason}`, '', { cause });
  }
}
