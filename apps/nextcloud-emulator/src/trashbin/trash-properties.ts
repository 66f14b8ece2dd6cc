import { element } from '../http/xml-writer';
import { clark, DAV, NEXTCLOUD, OWNCLOUD } from '../files/dav-names';
import { httpDate } from '../files/file-properties';
import type { PropertyValue } from '../files/multistatus';
import { sizeOf } from '../world/file-tree';
import { isAtLeast } from '../world/world';
import type { World } from '../world/world';
import { originalLocation } from './trashed-node';
import type { Trashed } from './trashed-node';

type Property = (trashed: Trashed, world: World) => PropertyValue;

const onFiles =
  (value: Property): Property =>
  (trashed, world) =>
    trashed.node.kind === 'file' ? value(trashed, world) : undefined;
const since =
  (major: number, value: Property): Property =>
  (trashed, world) =>
    isAtLeast(world.versions, major) ? value(trashed, world) : undefined;
const deletedAt = ({ item }: Trashed) => item.item.deletedAt;

/** The time of an item is that of its deletion, and so is its ETag, which has no quotes (recorded). */
const PROPERTIES: ReadonlyMap<string, Property> = new Map<string, Property>([
  [clark(DAV, 'getlastmodified'), (trashed) => httpDate(deletedAt(trashed))],
  [clark(DAV, 'getcontentlength'), onFiles(({ node }) => String(sizeOf(node)))],
  [clark(DAV, 'resourcetype'), ({ node }) => (node.kind === 'folder' ? [element('d:collection')] : [])],
  [clark(DAV, 'getetag'), (trashed) => String(deletedAt(trashed))],
  [clark(DAV, 'getcontenttype'), ({ node }) => (node.kind === 'file' ? node.mimetype : undefined)],
  [clark(DAV, 'displayname'), ({ node }) => node.name],
  [clark(OWNCLOUD, 'size'), ({ node }) => String(sizeOf(node))],
  [clark(OWNCLOUD, 'fileid'), ({ node }) => String(node.id)],
  [clark(OWNCLOUD, 'id'), ({ node }) => String(node.id)],
  [clark(OWNCLOUD, 'permissions'), () => 'GD'],
  [clark(NEXTCLOUD, 'has-preview'), () => 'false'],
  [clark(NEXTCLOUD, 'mount-type'), () => ''],
  [clark(NEXTCLOUD, 'trashbin-filename'), ({ node }) => node.name],
  [clark(NEXTCLOUD, 'trashbin-original-location'), originalLocation],
  [clark(NEXTCLOUD, 'trashbin-title'), originalLocation],
  [clark(NEXTCLOUD, 'trashbin-deletion-time'), (trashed) => String(deletedAt(trashed))],
  // Seen in newer sources; the release is not known, here it is 29.
  [clark(NEXTCLOUD, 'trashbin-deleted-by-id'), since(29, ({ item }) => item.item.deletedBy)],
  [
    clark(NEXTCLOUD, 'trashbin-deleted-by-display-name'),
    since(29, ({ item }, world) => world.users.get(item.item.deletedBy)?.displayName),
  ],
]);

/** What an empty PROPFIND body asks for. */
export const TRASH_PROPERTIES: readonly string[] = [
  'getlastmodified',
  'getcontentlength',
  'resourcetype',
  'getetag',
  'getcontenttype',
].map((name) => clark(DAV, name));

export function trashValue(world: World, trashed: Trashed, name: string): PropertyValue {
  return PROPERTIES.get(name)?.(trashed, world);
}

/** Of the trash itself there is only one thing to know. */
export function trashRootValue(name: string): PropertyValue {
  return name === clark(DAV, 'resourcetype') ? [element('d:collection')] : undefined;
}
