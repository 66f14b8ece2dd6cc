import { element } from '../http/xml-writer';
import { sizeOf } from '../world/file-tree';
import { entriesIn, entryEtag, entrySize, isMountRoot, ownerOf } from '../world/mounted-files';
import type { Entry } from '../world/mounted-files';
import { isAtLeast, PERMISSION } from '../world/world';
import type { TreeNode, World } from '../world/world';
import { clark, DAV, NEXTCLOUD, OCS, OWNCLOUD } from './dav-names';
import { davPermissions } from './dav-permissions';
import { LOCK_PROPERTIES } from './lock-properties';
import type { PropertyValue } from './multistatus';
import { SHARE_PROPERTIES } from './share-properties';

/** One file or folder as a property is asked of it. */
export interface Subject {
  readonly world: World;
  /** In whose files it is looked at. */
  readonly uid: string;
  readonly entry: Entry;
}

/** Undefined means that this one has no such property: it is listed under 404. */
export type Property = (subject: Subject) => PropertyValue;

const onFolders =
  (value: Property): Property =>
  (subject) =>
    subject.entry.node.kind === 'folder' ? value(subject) : undefined;
const onFiles =
  (value: Property): Property =>
  (subject) =>
    subject.entry.node.kind === 'file' ? value(subject) : undefined;
const constant =
  (value: PropertyValue): Property =>
  () =>
    value;
const since =
  (major: number, value: Property): Property =>
  (subject) =>
    isAtLeast(subject.world.versions, major) ? value(subject) : undefined;
const mimetypeOf = (node: TreeNode) => (node.kind === 'file' ? node.mimetype : undefined);
const isRoot = (entry: Entry) => entry.path === '/';

/** What the server knows of files and folders, as recorded from a real one. */
const PROPERTIES: ReadonlyMap<string, Property> = new Map<string, Property>([
  [clark(DAV, 'getlastmodified'), ({ entry }) => httpDate(entry.node.modifiedAt)],
  [clark(DAV, 'getetag'), ({ world, uid, entry }) => `"${entryEtag(world, uid, entry)}"`],
  [clark(DAV, 'getcontenttype'), ({ entry }) => mimetypeOf(entry.node)],
  [clark(DAV, 'getcontentlength'), onFiles(({ entry }) => String(sizeOf(entry.node)))],
  [
    clark(DAV, 'resourcetype'),
    ({ entry }) => (entry.node.kind === 'folder' ? [element('d:collection')] : []),
  ],
  // Seen in newer sources, missing in 24.
  [clark(DAV, 'displayname'), since(28, ({ uid, entry }) => (isRoot(entry) ? uid : entry.name))],
  [
    clark(DAV, 'quota-available-bytes'),
    onFolders(({ world, entry }) => String(quotaLeft(world, entry.node.ownerId))),
  ],
  [clark(DAV, 'quota-used-bytes'), onFolders(({ entry }) => String(sizeOf(entry.node)))],
  [clark(DAV, 'creationdate'), constant('1970-01-01T00:00:00+00:00')],
  [clark(OWNCLOUD, 'id'), ({ world, entry }) => longFileId(world, entry.node)],
  [clark(OWNCLOUD, 'fileid'), ({ entry }) => String(entry.node.id)],
  [clark(OWNCLOUD, 'permissions'), ({ world, entry }) => davPermissions(world.versions, entry)],
  [clark(OWNCLOUD, 'size'), ({ world, uid, entry }) => String(entrySize(world, uid, entry))],
  [clark(OWNCLOUD, 'favorite'), constant('0')],
  [clark(OWNCLOUD, 'comments-unread'), constant('0')],
  [clark(OWNCLOUD, 'comments-count'), constant('0')],
  [clark(OWNCLOUD, 'owner-id'), ({ uid, entry }) => ownerOf(uid, entry)],
  [
    clark(OWNCLOUD, 'owner-display-name'),
    ({ world, uid, entry }) => world.users.get(ownerOf(uid, entry))?.displayName ?? '',
  ],
  [clark(OWNCLOUD, 'tags'), constant([])],
  [clark(OWNCLOUD, 'downloadURL'), onFiles(constant(''))],
  [clark(OWNCLOUD, 'data-fingerprint'), constant('')],
  [
    clark(NEXTCLOUD, 'has-preview'),
    ({ entry }) => String(mimetypeOf(entry.node)?.startsWith('image/') ?? false),
  ],
  [clark(NEXTCLOUD, 'is-encrypted'), onFolders(constant('0'))],
  [clark(NEXTCLOUD, 'rich-workspace'), onFolders(constant(''))],
  [clark(NEXTCLOUD, 'creation_time'), constant('0')],
  [clark(NEXTCLOUD, 'upload_time'), onFiles(({ entry }) => String(entry.node.modifiedAt))],
  [clark(NEXTCLOUD, 'contained-folder-count'), onFolders((subject) => countOf(subject, 'folder'))],
  [clark(NEXTCLOUD, 'contained-file-count'), onFolders((subject) => countOf(subject, 'file'))],
  // The root of a storage, the mount of a share or group folder; seen in newer sources.
  [clark(NEXTCLOUD, 'is-mount-root'), since(28, ({ entry }) => String(isRoot(entry) || isMountRoot(entry)))],
  [clark(OCS, 'share-permissions'), ({ entry }) => String(sharePermissions(entry))],
  ...SHARE_PROPERTIES,
  ...LOCK_PROPERTIES,
]);

/** What an empty PROPFIND body asks for, in the order in which the server gives it. */
export const DEFAULT_PROPERTIES: readonly string[] = [
  'getlastmodified',
  'getcontentlength',
  'resourcetype',
  'quota-used-bytes',
  'quota-available-bytes',
  'getetag',
  'getcontenttype',
].map((name) => clark(DAV, name));

export function propertyValue(subject: Subject, name: string): PropertyValue {
  return PROPERTIES.get(name)?.(subject);
}

/** Eight digits and the instance's id, as in `oc:id` and the header `OC-FileId`. */
export function longFileId(world: World, node: TreeNode): string {
  return `${String(node.id).padStart(8, '0')}${world.instanceId}`;
}

export function httpDate(seconds: number): string {
  return new Date(seconds * 1000).toUTCString();
}

/** Bytes that an owner may still store; -3 stands for "no limit". */
export function quotaLeft(world: World, owner: string): number {
  const quota = world.quotas.get(owner);
  const root = world.files.get(owner);
  return quota === undefined || !root ? -3 : Math.max(0, quota - sizeOf(root));
}

/** With which rights it could be shared at most. */
function sharePermissions({ node, permissions }: Entry): number {
  return node.kind === 'folder' ? permissions : permissions & ~(PERMISSION.create | PERMISSION.delete);
}

function countOf({ world, uid, entry }: Subject, kind: TreeNode['kind']): string {
  return String(entriesIn(world, uid, entry).filter(({ node }) => node.kind === kind).length);
}
