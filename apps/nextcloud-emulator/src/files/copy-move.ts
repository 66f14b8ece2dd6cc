import type { Reply } from '../http/exchange';
import { copyNode, moveNode } from '../world/change-files';
import { sizeOf } from '../world/file-tree';
import { isMountRoot, parentPath } from '../world/mounted-files';
import type { Entry } from '../world/mounted-files';
import { moveTarget, moveTargetsBelow } from '../world/shares';
import { PERMISSION } from '../world/world';
import { checkName } from './check-name';
import { demandEntry, findEntry } from './dav-call';
import type { FilesCall } from './dav-call';
import { forbidden } from './dav-failure';
import { allows, mayRename } from './dav-permissions';
import { removeEntry } from './delete-file';
import { readDestination } from './destination';
import type { Destination } from './destination';
import { demandUnlocked } from './locks';
import { checkPreconditions } from './preconditions';
import { checksCopies, demandSpace } from './quota';
import { changed, etagHeaders, fileIdHeader } from './written';

/** COPY: a new file or folder with an id of its own. Recorded: the answer has no ETag. */
export function copyFile(call: FilesCall): Reply {
  const { source, target } = readTransfer(call);
  const { world } = call.emulation;
  if (!allows(target.parent, PERMISSION.create)) throw forbidden();
  checkName(target.name);
  if (checksCopies(call)) demandSpace(call, target.folder.ownerId, sizeOf(source.node), target.path);
  if (target.existing) removeEntry(call, target.existing);
  const copy = copyNode(world, source.node, target.folder, target.name, call.emulation.now());
  return changed(target.existing ? 204 : 201, fileIdHeader(world, copy));
}

/** MOVE: the same file under another path. What stood there is deleted first, a whole folder if need be. */
export function moveFile(call: FilesCall): Reply {
  const { source, target } = readTransfer(call);
  const { world } = call.emulation;
  demandMovable(source, target);
  checkName(target.name);
  demandUnlocked(world, source.node);
  if (target.existing) removeEntry(call, target.existing);
  if (isMountRoot(source)) moveTarget(call.uid, source.mount?.shares ?? [], target.path);
  else moveNode(world, source.node, target.folder, target.name, call.emulation.now());
  moveTargetsBelow(world, call.uid, source.path, target.path);
  return changed(target.existing ? 204 : 201, {
    ...etagHeaders(source.node),
    ...fileIdHeader(world, source.node),
  });
}

function readTransfer(call: FilesCall): { source: Entry; target: Destination } {
  const found = findEntry(call);
  checkPreconditions(call.exchange, found?.node);
  const target = readDestination(call, found?.node.kind ?? 'file');
  const source = demandEntry(call);
  if (source.path === '/') throw forbidden();
  return { source, target };
}

/** Renaming needs the right to change; moving elsewhere that to delete here and to create there. */
function demandMovable(source: Entry, target: Destination): void {
  if (!mayRename(source)) throw forbidden();
  if (isMountRoot(source)) {
    // A mount can only stand in the own storage.
    if (target.parent.mount) throw forbidden();
    return;
  }
  if (parentPath(source.path) === target.parent.path) return;
  if (!allows(source, PERMISSION.delete) || !allows(target.parent, PERMISSION.create)) throw forbidden();
}
