import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

import { makePrivateFolder } from './private-folder';
import { StoreFailed } from './store-errors';
import type { SystemUser } from './system-user';
import { canReach, canWrite, unprivilegedUser } from './system-user';

/** Where a PostgreSQL cluster lives, and who runs it. */
export interface PostgresHome {
  /** Holds the cluster and its administrator's password. */
  folder: string;
  /** Holds the log and copies of programs; always temporary. The same as `folder` when nothing is to be kept. */
  workFolder: string;
  user: SystemUser | undefined;
  /** Why the data is not where the caller wanted it, in words for a person. */
  notice?: string;
}

/** The name of the cluster's folder inside its home. */
export const CLUSTER = 'data';

/** Finds out who runs PostgreSQL and makes the folders. @throws StoreFailed when `dataDir` holds something else */
export function openPostgresHome(dataDir: string | undefined): PostgresHome {
  const wanted = dataDir === undefined ? undefined : path.resolve(dataDir);
  if (wanted !== undefined) refuseForeignContent(wanted);
  const user = unprivilegedUser() && (ownerOfCluster(wanted) ?? unprivilegedUser());
  const workFolder = makePrivateFolder('postgres', user);
  if (wanted === undefined) return { folder: workFolder, workFolder, user };
  if (prepare(wanted, user)) return { folder: wanted, workFolder, user };
  const notice =
    `PostgreSQL does not run as root, and the user it runs as cannot use ${wanted}. ` +
    'Its data is kept in a temporary folder and is gone afterwards.';
  return { folder: workFolder, workFolder, user, notice };
}

/** PostgreSQL's programs where that user can execute them: `binDir` itself, or a temporary copy of the installation. */
export function reachablePrograms(binDir: string, { user, workFolder }: PostgresHome): string {
  if (canReach(path.join(binDir, 'initdb'), user)) return binDir;
  const copy = path.join(workFolder, 'installation');
  cpSync(path.dirname(binDir), copy, { recursive: true, verbatimSymlinks: true });
  return path.join(copy, path.basename(binDir));
}

/** The folder is about to change its owner, so a mistyped path must not reach that point. */
function refuseForeignContent(folder: string): void {
  if (!existsSync(folder) || existsSync(path.join(folder, CLUSTER))) return;
  if (readdirSync(folder).every((name) => OURS_BEFORE_THE_CLUSTER.includes(name))) return;
  throw new StoreFailed(
    `${folder} holds other files and no PostgreSQL data. Name an empty folder or one that does not exist.`,
  );
}

/** What an interrupted first start leaves behind. */
const OURS_BEFORE_THE_CLUSTER = ['password', `${CLUSTER}.unfinished`];

/** Root goes on with the cluster of an ordinary user as that user, so that both can use it by turns. */
function ownerOfCluster(folder: string | undefined): SystemUser | undefined {
  const cluster = folder === undefined ? undefined : path.join(folder, CLUSTER);
  if (cluster === undefined || !existsSync(cluster)) return undefined;
  const { uid, gid } = statSync(cluster);
  return { uid, gid };
}

/** Makes the folder that user's own; false, and nothing left behind, when that user cannot get there. */
function prepare(folder: string, user: SystemUser | undefined): boolean {
  const firstCreated = mkdirSync(folder, { recursive: true });
  if (user === undefined) return true;
  chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
  if (canWrite(folder, user)) return true;
  if (firstCreated !== undefined) rmSync(firstCreated, { recursive: true });
  return false;
}
