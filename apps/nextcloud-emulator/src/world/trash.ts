import { deepCopy, removeNode, touchParents } from './change-files';
import { attach, pathOf } from './file-tree';
import { entryAt, lastSegment, mountsBelow, mountsOf, parentPath } from './mounted-files';
import type { Entry } from './mounted-files';
import { unshareFrom } from './shares';
import { PERMISSION } from './world';
import type { FolderNode, TrashItem, World } from './world';

/** An item in the trash that a user sees, and the list in which it is kept. */
export interface SeenItem {
  readonly item: TrashItem;
  readonly bin: TrashItem[];
  /** As the user knows it: in a group folder with its mount in front. */
  readonly location: string;
  /** The trash's own name, e.g. `plan.md.d1700000000`. */
  readonly key: string;
}

/**
 * Deletes an entry: into the trash of its owner, and, when somebody else deleted it from a received share, as a copy
 * into that person's too. Without the app "files_trashbin" it is gone.
 */
export function deleteEntry(world: World, uid: string, entry: Entry, nowMs: number): void {
  const { node } = entry;
  for (const mount of mountsBelow(world, uid, entry)) unshareFrom(world, uid, mount.shares);
  const location = pathOf(node).slice(1);
  const bin = binOf(world, uid, entry);
  removeNode(world, node, nowMs);
  if (!world.versions.apps.has('files_trashbin') || !bin) return;
  const deletedAt = freeSecond(bin, node.name, Math.floor(nowMs / 1000));
  bin.push({ node, location, deletedAt, deletedBy: uid });
  const own = world.trash.get(uid);
  if (own && own !== bin && entry.mount?.groupFolder === null) {
    const copy = deepCopy(world, node, node.name, nowMs);
    own.push({ node: copy, location: entry.path.slice(1), deletedAt, deletedBy: uid });
  }
}

/** The user's own trash and that of the user's group folders, the latest first. */
export function trashOf(world: World, uid: string): SeenItem[] {
  const own = world.trash.get(uid) ?? [];
  const seen = own.map((item) => seenItem(item, own, item.location));
  for (const { groupFolder, path } of mountsOf(world, uid)) {
    if (!groupFolder) continue;
    const { trash } = groupFolder;
    seen.push(...trash.map((item) => seenItem(item, trash, `${path.slice(1)}/${item.location}`)));
  }
  return seen.sort((a, b) => b.item.deletedAt - a.item.deletedAt);
}

/** Puts an item back where it was, or into the root when that folder is gone; a taken name gets ` (restored)`. */
export function restoreItem(world: World, uid: string, seen: SeenItem, nowMs: number): void {
  const { item, bin } = seen;
  const home = parentPath(`/${seen.location}`);
  const entry = entryAt(world, uid, home) ?? entryAt(world, uid, '/');
  const usable = entry && entry.node.kind === 'folder' && (entry.permissions & PERMISSION.create) !== 0;
  const folder = usable ? entry.node : world.files.get(uid);
  if (folder?.kind !== 'folder') return;
  bin.splice(bin.indexOf(item), 1);
  attach(folder, item.node, restoredName(folder, lastSegment(item.location)));
  touchParents(world, item.node, nowMs);
}

/** The final end of an item. */
export function purgeItem({ item, bin }: SeenItem): void {
  bin.splice(bin.indexOf(item), 1);
}

/** `f (restored).txt`, then `f (restored 2).txt`, … when the name is taken. */
export function restoredName(folder: FolderNode, name: string): string {
  if (!folder.children.has(name)) return name;
  const dot = name.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  let candidate = `${stem} (restored)${ending}`;
  for (let count = 2; folder.children.has(candidate); count++)
    candidate = `${stem} (restored ${count})${ending}`;
  return candidate;
}

/** The owner's trash, or the group folder's own. */
function binOf(world: World, uid: string, entry: Entry): TrashItem[] | undefined {
  return entry.mount?.groupFolder?.trash ?? world.trash.get(entry.node.ownerId) ?? world.trash.get(uid);
}

function seenItem(item: TrashItem, bin: TrashItem[], location: string): SeenItem {
  return { item, bin, location, key: `${item.node.name}.d${item.deletedAt}` };
}

/** Two of one name within one second: the second one is dated a second later. */
function freeSecond(bin: readonly TrashItem[], name: string, second: number): number {
  const taken = bin.some((item) => item.node.name === name && item.deletedAt === second);
  return taken ? freeSecond(bin, name, second + 1) : second;
}
