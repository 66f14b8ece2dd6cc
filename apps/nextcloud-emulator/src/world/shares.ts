import { createFolder } from './change-files';
import { entryAt, lastSegment, mountsOf, parentPath } from './mounted-files';
import { PERMISSION } from './world';
import type { Share, ShareType, TreeNode, World } from './world';

export interface ShareDraft {
  readonly ownerId: string;
  readonly node: TreeNode;
  readonly type: ShareType;
  readonly with: string;
  readonly permissions: number;
}

/** Shares something and puts it into the files of the local recipients. */
export function addShare(world: World, draft: ShareDraft, nowMs: number): Share {
  const share: Share = {
    ...draft,
    permissions: grantable(draft),
    id: (world.shares.at(-1)?.id ?? 0) + 1,
    createdAt: Math.floor(nowMs / 1000),
    targets: new Map(),
  };
  world.shares.push(share);
  for (const uid of recipientsOf(world, share)) share.targets.set(uid, targetFor(world, uid, share, nowMs));
  return share;
}

/** What Talk does with a file that is sent into a room: its members get it, unless they have it so already. */
export function shareIntoRoom(world: World, token: string, node: TreeNode, nowMs: number): void {
  const { ownerId } = node;
  const known = world.shares.some(
    (share) => share.node === node && share.type === 'room' && share.with === token,
  );
  // A group folder has no owner who could share it; its members have the file.
  if (known || !world.users.has(ownerId)) return;
  const permissions = PERMISSION.read | PERMISSION.update | PERMISSION.share;
  addShare(world, { ownerId, node, type: 'room', with: token, permissions }, nowMs);
}

/** As the server does it: a file loses the bits for what can only be done in folders, reading is always there. */
function grantable({ node, type, permissions }: ShareDraft): number {
  const allowed = node.kind === 'file' ? permissions & ~(PERMISSION.create | PERMISSION.delete) : permissions;
  return type === 'link' ? allowed : allowed | PERMISSION.read;
}

/** The local users who receive it; the owner is none of them. */
function recipientsOf(world: World, share: Pick<Share, 'type' | 'with' | 'ownerId'>): string[] {
  return localRecipients(world, share).filter((uid) => uid !== share.ownerId && world.users.has(uid));
}

function localRecipients(world: World, share: Pick<Share, 'type' | 'with'>): string[] {
  switch (share.type) {
    case 'user':
      return [share.with];
    case 'group':
      return [...world.users.values()].filter((user) => user.groups.includes(share.with)).map(({ id }) => id);
    case 'room':
      return (world.rooms.get(share.with)?.members ?? [])
        .filter(({ actor }) => actor.type === 'users')
        .map(({ actor }) => actor.id);
    default:
      return [];
  }
}

/** What comes through a room lies in the folder "Talk", everything else in the root. */
function targetFor(world: World, uid: string, share: Share, nowMs: number): string {
  const known = mountsOf(world, uid).find((mount) => mount.node === share.node);
  if (known) return known.path;
  const folder = share.type === 'room' ? talkFolder(world, uid, nowMs) : '';
  return freePath(world, uid, `${folder}/${share.node.name}`);
}

function talkFolder(world: World, uid: string, nowMs: number): string {
  const root = world.files.get(uid);
  if (root && !root.children.has('Talk')) createFolder(world, root, 'Talk', nowMs);
  return '/Talk';
}

/** `plan (2).md`, then `plan (3).md`, … when the recipient has something of that name. */
function freePath(world: World, uid: string, wanted: string): string {
  const name = lastSegment(wanted);
  const dot = name.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  const folder = parentPath(wanted).replace(/\/$/, '');
  let path = wanted;
  for (let count = 2; entryAt(world, uid, path); count++) path = `${folder}/${stem} (${count})${ending}`;
  return path;
}

/** Takes received shares out of somebody's files; a share with that user alone ends. */
export function unshareFrom(world: World, uid: string, shares: readonly Share[]): void {
  for (const share of shares) {
    share.targets.delete(uid);
    if (share.type === 'user') world.shares.splice(world.shares.indexOf(share), 1);
  }
}

/** Gives received shares another place in somebody's files. */
export function moveTarget(uid: string, shares: readonly Share[], path: string): void {
  for (const share of shares) share.targets.set(uid, path);
}

/** Renaming or moving a folder takes the mounts below it along. */
export function moveTargetsBelow(world: World, uid: string, from: string, to: string): void {
  for (const { path, shares } of mountsOf(world, uid)) {
    if (path.startsWith(`${from}/`)) moveTarget(uid, shares, to + path.slice(from.length));
  }
}
