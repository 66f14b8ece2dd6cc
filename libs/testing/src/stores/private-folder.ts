import { chmodSync, chownSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { StoreFailed } from './store-errors';
import type { SystemUser } from './system-user';
import { canReach } from './system-user';

/** A new folder for that user alone, in a temporary folder which that user can enter. */
export function makePrivateFolder(purpose: string, user?: SystemUser): string {
  const parent = [tmpdir(), '/tmp', '/var/tmp'].find((folder) => canReach(folder, user));
  if (parent === undefined)
    throw new StoreFailed('There is no temporary folder that the user of the store can enter.');
  const folder = mkdtempSync(path.join(parent, `nuqloud-${purpose}-`));
  chmodSync(folder, 0o700);
  if (user) chownSync(folder, user.uid, user.gid);
  return folder;
}
