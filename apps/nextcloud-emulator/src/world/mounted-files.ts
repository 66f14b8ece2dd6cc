import { createHash } from 'node:crypto';
import { childPath, childrenOf, findNode, segmentsOf, sizeOf, topOf } from './file-tree';
import type { FolderNode, GroupFolder, Share, TreeNode, World } from './world';
import { PERMISSION } from './world';

/** A share or group folder as it stands in one user's files. */
export interface Mount {
  readonly path: string;
  readonly node: TreeNode;
  readonly permissions: number;
  /** The received shares behind it; empty for a group folder. */
  readonly shares: readonly Share[];
  readonly groupFolder: GroupFolder | null;
}

/** A file or folder as one user sees it. */
export interface Entry {
  /** In that user's files, `/` for the root. */
  readonly path: string;
  /** Under a mount the name may differ from the node's own. */
  readonly name: string;
  readonly node: TreeNode;
  /** Null in the user's own storage. */
  readonly mount: Mount | null;
  /** What the storage allows; removing or renaming a mount itself is another matter. */
  readonly permissions: number;
}

/** The received shares of a user, and the group folders of the groups the user is in. */
export function mountsOf(world: World, uid: string): Mount[] {
  const groups = new Set(world.users.get(uid)?.groups);
  const folders = world.versions.apps.has('groupfolders')
    ? world.groupFolders.filter((folder) => folder.groups.some((group) => groups.has(group)))
    : [];
  return [
    ...receivedShares(world, uid),
    ...folders.map((groupFolder) => ({
      path: groupFolder.mount,
      node: groupFolder.root,
      permissions: PERMISSION.all,
      shares: [],
      groupFolder,
    })),
  ];
}

/** Several shares of one file to the same person make one mount with the rights of all. */
function receivedShares(world: World, uid: string): Mount[] {
  const mounts = new Map<TreeNode, Mount>();
  for (const share of world.shares) {
    const path = share.targets.get(uid);
    if (path === undefined || !isLive(world, share)) continue;
    const before = mounts.get(share.node);
    mounts.set(share.node, {
      path,
      node: share.node,
      permissions: (before?.permissions ?? 0) | share.permissions,
      shares: [...(before?.shares ?? []), share],
      groupFolder: null,
    });
  }
  return [...mounts.values()];
}

/** A share of something in the trash rests until it is restored. */
export function isLive(world: World, share: Share): boolean {
  return topOf(share.node) === world.files.get(share.ownerId);
}

/** What a user finds under a decoded path. */
export function entryAt(world: World, uid: string, path: string): Entry | undefined {
  const root = world.files.get(uid);
  if (!root) return undefined;
  const segments = segmentsOf(path);
  const wanted = `/${segments.join('/')}`;
  const mount = mountsOf(world, uid)
    .filter((one) => isBelow(wanted, one.path))
    .sort((a, b) => b.path.length - a.path.length)[0];
  const node = mount ? findNode(mount.node, wanted.slice(mount.path.length)) : findNode(root, wanted);
  return node && entryOf(node, wanted, mount ?? null);
}

/** What a user finds in a folder: its own children in the order of their names, then mounts. */
export function entriesIn(world: World, uid: string, folder: Entry): Entry[] {
  const { node: parent } = folder;
  if (parent.kind === 'file') return [];
  const mounts = mountsOf(world, uid).filter((mount) => parentPath(mount.path) === folder.path);
  const hidden = new Set(mounts.map((mount) => mount.path));
  const own = childrenOf(parent)
    .map((node) => entryOf(node, childPath(folder.path, node.name), folder.mount))
    .filter((entry) => !hidden.has(entry.path));
  return [...own, ...mounts.map((mount) => entryOf(mount.node, mount.path, mount))];
}

/** The entry and all below it, parents first. */
export function* entriesFrom(world: World, uid: string, entry: Entry): Generator<Entry> {
  yield entry;
  for (const child of entriesIn(world, uid, entry)) yield* entriesFrom(world, uid, child);
}

export function entryWithId(world: World, uid: string, fileId: number): Entry | undefined {
  const root = entryAt(world, uid, '/');
  if (!root) return undefined;
  for (const entry of entriesFrom(world, uid, root)) if (entry.node.id === fileId) return entry;
  return undefined;
}

export function mountsBelow(world: World, uid: string, entry: Entry): Mount[] {
  return mountsOf(world, uid).filter((mount) => mount.path !== entry.path && isBelow(mount.path, entry.path));
}

/** Bytes, with those of mounts below. */
export function entrySize(world: World, uid: string, entry: Entry): number {
  return mountsBelow(world, uid, entry).reduce((sum, { node }) => sum + sizeOf(node), sizeOf(entry.node));
}

export function isMountRoot(entry: Entry): boolean {
  return entry.mount?.path === entry.path;
}

/** Whoever's storage it is in; a group folder shows each of its members as the owner. */
export function ownerOf(uid: string, entry: Entry): string {
  return entry.node.ownerId === '' ? uid : entry.node.ownerId;
}

export function rootEntry(root: FolderNode): Entry {
  return entryOf(root, '/', null);
}

export function parentPath(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

export function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A file's rights never have the bit for creating something in it. */
function entryOf(node: TreeNode, path: string, mount: Mount | null): Entry {
  const permissions = mount?.permissions ?? PERMISSION.all;
  return {
    path,
    name: lastSegment(path),
    node,
    mount,
    permissions: node.kind === 'file' ? permissions & ~PERMISSION.create : permissions,
  };
}

function isBelow(path: string, folder: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`);
}

/** A folder with mounts below has an ETag made of its own and theirs, so that it changes with them. */
export function entryEtag(world: World, uid: string, entry: Entry): string {
  const mounts = entry.node.kind === 'folder' ? mountsBelow(world, uid, entry) : [];
  if (mounts.length === 0) return entry.node.etag;
  const etags = [entry.node.etag, ...mounts.map(({ node }) => node.etag)];
  return createHash('md5').update(etags.join('::')).digest('hex');
}
