import { findNode } from '../world/file-tree';
import { trashOf } from '../world/trash';
import type { SeenItem } from '../world/trash';
import type { TreeNode, World } from '../world/world';

/** Something in the trash: an item, or what lies in a deleted folder. */
export interface Trashed {
  readonly item: SeenItem;
  readonly node: TreeNode;
  /** Below the trash, the item's key first. */
  readonly path: readonly string[];
}

export function findTrashed(world: World, uid: string, path: readonly string[]): Trashed | undefined {
  const [key, ...inner] = path;
  const item = trashOf(world, uid).find((one) => one.key === key);
  if (!item) return undefined;
  const top = item.item.node;
  const node = top.kind === 'folder' ? findNode(top, inner.join('/')) : inner.length === 0 ? top : undefined;
  return node && { item, node, path };
}

/** Where it was, e.g. `Docs/plan.md`. */
export function originalLocation({ item, path }: Trashed): string {
  return [item.location, ...path.slice(1)].join('/');
}
