import { createHash } from 'node:crypto';
import type { Emulation } from '../emulation';
import { pathOf } from '../world/file-tree';
import { entryAt, parentPath } from '../world/mounted-files';
import { SHARE_TYPES } from '../world/world';
import type { Share, World } from '../world/world';
import { shareeName } from './sharee-name';

/** A share as the sharing API gives it to that user, key by key as recorded. */
export function shareData(emulation: Emulation, share: Share, viewer: string): Record<string, unknown> {
  const { world } = emulation;
  const { node, ownerId } = share;
  const ownerName = world.users.get(ownerId)?.displayName ?? ownerId;
  const received = share.targets.get(viewer);
  const path = viewer === ownerId ? pathOf(node) : (received ?? pathOf(node));
  return {
    id: String(share.id),
    share_type: SHARE_TYPES[share.type],
    uid_owner: ownerId,
    displayname_owner: ownerName,
    permissions: share.permissions,
    can_edit: viewer === ownerId,
    can_delete: viewer === ownerId || (share.type === 'user' && share.with === viewer),
    stime: share.createdAt,
    parent: null,
    expiration: null,
    token: hasToken(share) ? tokenOf(share) : null,
    uid_file_owner: ownerId,
    note: '',
    label: hasToken(share) ? '' : null,
    displayname_file_owner: ownerName,
    path,
    item_type: node.kind,
    mimetype: node.kind === 'file' ? node.mimetype : 'httpd/unix-directory',
    has_preview: node.kind === 'file' && /^(image|text)\//.test(node.mimetype),
    storage_id: viewer === ownerId ? `home::${ownerId}` : `shared::${path}`,
    storage: storageOf(world, ownerId),
    item_source: node.id,
    file_source: node.id,
    file_parent: parentId(world, share, viewer, path),
    file_target: received ?? `/${node.name}`,
    ...recipientFields(emulation, share),
    mail_send: 0,
    hide_download: 0,
    attributes: null,
  };
}

function recipientFields(emulation: Emulation, share: Share): Record<string, unknown> {
  const { world, publicUrl } = emulation;
  const name = shareeName(world, share);
  switch (share.type) {
    case 'user':
      return {
        share_with: share.with,
        share_with_displayname: name,
        share_with_displayname_unique: world.users.get(share.with)?.email ?? share.with,
        status: [],
      };
    case 'link':
      return {
        share_with: null,
        share_with_displayname: name,
        password: null,
        send_password_by_talk: false,
        url: `${publicUrl}/s/${tokenOf(share)}`,
      };
    case 'email':
      return {
        share_with: share.with,
        password: null,
        password_expiration_time: null,
        send_password_by_talk: false,
        share_with_displayname: name,
      };
    default:
      return { share_with: share.with, share_with_displayname: name };
  }
}

function hasToken(share: Share): boolean {
  return share.type === 'link' || share.type === 'email' || share.type === 'room';
}

/** Fifteen letters and digits, the same at every start. */
function tokenOf(share: Share): string {
  return createHash('sha256').update(`share ${share.id}`).digest('hex').slice(0, 15);
}

/** Numbers of storages: that of each user, in the order of the users. */
function storageOf(world: World, ownerId: string): number {
  return [...world.users.keys()].indexOf(ownerId) + 1;
}

/** The folder in which the viewer has it; for somebody who does not have it, the owner's. */
function parentId(world: World, share: Share, viewer: string, path: string): number | null {
  const holder = viewer === share.ownerId || share.targets.has(viewer) ? viewer : share.ownerId;
  return entryAt(world, holder, parentPath(path))?.node.id ?? null;
}
