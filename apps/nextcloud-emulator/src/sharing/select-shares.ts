import { isLive } from '../world/mounted-files';
import { isAtLeast, SHARE_TYPES } from '../world/world';
import type { Share, TreeNode, World } from '../world/world';

/** By type, then in the order in which they were made, as the server's providers give them. */
function inOrder(shares: readonly Share[]): Share[] {
  return [...shares].sort((a, b) => SHARE_TYPES[a.type] - SHARE_TYPES[b.type] || a.id - b.id);
}

/** Everything shared of that file or folder itself; what lies in the trash is not. */
export function sharesOf(world: World, node: TreeNode): Share[] {
  return inOrder(world.shares.filter((share) => share.node === node && isLive(world, share)));
}

export function sharesBy(world: World, uid: string): Share[] {
  return inOrder(world.shares.filter((share) => share.ownerId === uid && isLive(world, share)));
}

export function sharesWith(world: World, uid: string): Share[] {
  return inOrder(world.shares.filter((share) => share.targets.has(uid) && isLive(world, share)));
}

/**
 * What the file listing says of a file's shares: those that this user made and, in newer sources (the release is not
 * known, here 30), those through which the user has it.
 */
export function sharesShownAt(
  world: World,
  uid: string,
  node: TreeNode,
  received: readonly Share[],
): Share[] {
  const own = sharesOf(world, node).filter((share) => share.ownerId === uid);
  return isAtLeast(world.versions, 30) ? [...own, ...received] : own;
}
