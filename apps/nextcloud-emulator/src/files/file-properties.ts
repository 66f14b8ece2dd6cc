import { element, text } from '../http/xml-writer';
import type { XmlNode } from '../http/xml-writer';
import { isAtLeast } from '../world/world';
import { sizeOf } from '../world/file-tree';
import type { TreeNode, World } from '../world/world';
import { clark, DAV, NEXTCLOUD, OCS, OWNCLOUD } from './dav-names';

/** One node as a property is asked of it. */
export interface Subject {
  readonly world: World;
  readonly node: TreeNode;
  readonly isRoot: boolean;
}

type Value = string | readonly XmlNode[];

/** Undefined means that this node has no such property: it is listed under 404. */
type Property = (subject: Subject) => Value | undefined;

const onFolders =
  (value: Property): Property =>
  (subject) =>
    subject.node.kind === 'folder' ? value(subject) : undefined;
const onFiles =
  (value: Property): Property =>
  (subject) =>
    subject.node.kind === 'file' ? value(subject) : undefined;
const constant =
  (value: Value): Property =>
  () =>
    value;

/** What the server knows of files and folders, as recorded from a real one. */
const PROPERTIES: ReadonlyMap<string, Property> = new Map<string, Property>([
  [clark(DAV, 'getlastmodified'), ({ node }) => httpDate(node.modifiedAt)],
  [clark(DAV, 'getetag'), ({ node }) => `"${node.etag}"`],
  [clark(DAV, 'getcontenttype'), ({ node }) => (node.kind === 'file' ? node.mimetype : undefined)],
  [
    clark(DAV, 'getcontentlength'),
    ({ node }) => (node.kind === 'file' ? String(node.content.length) : undefined),
  ],
  [clark(DAV, 'resourcetype'), ({ node }) => (node.kind === 'folder' ? [element('d:collection')] : [])],
  // Seen in newer sources, missing in 24.
  [
    clark(DAV, 'displayname'),
    ({ world, node, isRoot }) =>
      isAtLeast(world.versions, 28) ? (isRoot ? node.ownerId : node.name) : undefined,
  ],
  [
    clark(DAV, 'quota-available-bytes'),
    onFolders(({ world, node }) => String(quotaLeft(world, node.ownerId))),
  ],
  [clark(DAV, 'quota-used-bytes'), onFolders(({ node }) => String(sizeOf(node)))],
  [clark(DAV, 'creationdate'), constant('1970-01-01T00:00:00+00:00')],
  [clark(OWNCLOUD, 'id'), ({ world, node }) => longFileId(world, node)],
  [clark(OWNCLOUD, 'fileid'), ({ node }) => String(node.id)],
  [clark(OWNCLOUD, 'permissions'), ({ node }) => (node.kind === 'folder' ? 'RGDNVCK' : 'RGDNVW')],
  [clark(OWNCLOUD, 'size'), ({ node }) => String(sizeOf(node))],
  [clark(OWNCLOUD, 'favorite'), constant('0')],
  [clark(OWNCLOUD, 'comments-unread'), constant('0')],
  [clark(OWNCLOUD, 'comments-count'), constant('0')],
  [clark(OWNCLOUD, 'owner-id'), ({ node }) => node.ownerId],
  [
    clark(OWNCLOUD, 'owner-display-name'),
    ({ world, node }) => world.users.get(node.ownerId)?.displayName ?? '',
  ],
  [clark(OWNCLOUD, 'share-types'), constant([])],
  [clark(OWNCLOUD, 'tags'), constant([])],
  [clark(OWNCLOUD, 'downloadURL'), onFiles(constant(''))],
  [clark(OWNCLOUD, 'data-fingerprint'), constant('')],
  [
    clark(NEXTCLOUD, 'has-preview'),
    ({ node }) => String(node.kind === 'file' && /^image\//.test(node.mimetype)),
  ],
  [clark(NEXTCLOUD, 'is-encrypted'), onFolders(constant('0'))],
  [clark(NEXTCLOUD, 'mount-type'), constant('')],
  [clark(NEXTCLOUD, 'sharees'), constant([])],
  [clark(NEXTCLOUD, 'share-attributes'), constant('[]')],
  [clark(NEXTCLOUD, 'note'), constant('')],
  [clark(NEXTCLOUD, 'rich-workspace'), onFolders(constant(''))],
  [clark(NEXTCLOUD, 'creation_time'), constant('0')],
  [clark(NEXTCLOUD, 'upload_time'), onFiles(({ node }) => String(node.modifiedAt))],
  [clark(NEXTCLOUD, 'contained-folder-count'), onFolders(({ node }) => countOf(node, 'folder'))],
  [clark(NEXTCLOUD, 'contained-file-count'), onFolders(({ node }) => countOf(node, 'file'))],
  // The root of a storage, the mount of a share or group folder; seen in newer sources.
  [
    clark(NEXTCLOUD, 'is-mount-root'),
    ({ world, isRoot }) => (isAtLeast(world.versions, 28) ? String(isRoot) : undefined),
  ],
  [clark(OCS, 'share-permissions'), ({ node }) => (node.kind === 'folder' ? '31' : '19')],
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

export function propertyValue(subject: Subject, name: string): Value | undefined {
  return PROPERTIES.get(name)?.(subject);
}

/** The children of the property's element. An empty text still makes `<a></a>`, where no child makes `<a/>`. */
export function valueNodes(value: Value): readonly XmlNode[] {
  return typeof value === 'string' ? [text(value)] : value;
}

/** Eight digits and the instance's id, as in `oc:id` and the header `OC-FileId`. */
export function longFileId(world: World, node: TreeNode): string {
  return `${String(node.id).padStart(8, '0')}${world.instanceId}`;
}

export function httpDate(seconds: number): string {
  return new Date(seconds * 1000).toUTCString();
}

/** -3 stands for "no limit". */
function quotaLeft(world: World, owner: string): number {
  const quota = world.quotas.get(owner);
  const root = world.files.get(owner);
  return quota === undefined || !root ? -3 : Math.max(0, quota - sizeOf(root));
}

function countOf(node: TreeNode, kind: TreeNode['kind']): string {
  const children = node.kind === 'folder' ? [...node.children.values()] : [];
  return String(children.filter((child) => child.kind === kind).length);
}
