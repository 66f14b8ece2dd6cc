import { pathOf } from '../world/file-tree';
import type { TreeNode, World } from '../world/world';
import { DavFailure } from './dav-failure';

/** A file that an app has open cannot be changed from outside. @throws {DavFailure} 423 */
export function demandUnlocked(world: World, node: TreeNode): void {
  if (world.versions.apps.has('files_lock') && world.locks.has(node.id)) throw locked(`files${pathOf(node)}`);
}

export function locked(path: string): DavFailure {
  return new DavFailure(423, 'OCA\\DAV\\Connector\\Sabre\\Exception\\FileLocked', `"${path}" is locked`);
}
