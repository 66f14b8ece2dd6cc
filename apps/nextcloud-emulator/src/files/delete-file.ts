import type { Reply } from '../http/exchange';
import { isMountRoot } from '../world/mounted-files';
import type { Entry } from '../world/mounted-files';
import { unshareFrom } from '../world/shares';
import { deleteEntry } from '../world/trash';
import { demandEntry, findEntry } from './dav-call';
import type { FilesCall } from './dav-call';
import { forbidden } from './dav-failure';
import { mayDelete } from './dav-permissions';
import { demandUnlocked } from './locks';
import { checkPreconditions } from './preconditions';
import { changed } from './written';

/** DELETE: a received share only leaves the own files, everything else goes the way of the trash. */
export function deleteFile(call: FilesCall): Reply {
  checkPreconditions(call.exchange, findEntry(call)?.node);
  if (call.path === '/') throw forbidden('Permission denied to delete home folder');
  removeEntry(call, demandEntry(call));
  return changed(204);
}

/** @throws {DavFailure} 403, 423 */
export function removeEntry(call: FilesCall, entry: Entry): void {
  const { world } = call.emulation;
  if (!mayDelete(entry)) throw forbidden();
  if (isMountRoot(entry)) return unshareFrom(world, call.uid, entry.mount?.shares ?? []);
  demandUnlocked(world, entry.node);
  deleteEntry(world, call.uid, entry, call.emulation.now());
}
