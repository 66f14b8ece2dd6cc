import { clark } from '../dav/dav-names';
import type { PrefixedName } from '../dav/dav-names';
import type { DavResponse } from '../dav/dav-response';
import type { FileEntry, FileLock, FileMount, FileRights, ShareKind } from './file-entry';

/** What is asked of every file; nothing that costs the server more than its own file cache. */
export const ENTRY_PROPERTIES = [
  'd:resourcetype',
  'd:getetag',
  'd:getcontentlength',
  'd:getcontenttype',
  'd:getlastmodified',
  'oc:fileid',
  'oc:size',
  'oc:permissions',
  'oc:owner-id',
  'oc:owner-display-name',
  'oc:share-types',
  'nc:mount-type',
  'nc:is-mount-root',
  'nc:is-encrypted',
  'nc:lock',
  'nc:lock-owner',
  'nc:lock-owner-displayname',
  'nc:lock-owner-type',
  'nc:lock-owner-editor',
] as const satisfies readonly PrefixedName[];

type EntryProperty = (typeof ENTRY_PROPERTIES)[number];

const NAMES = new Map(ENTRY_PROPERTIES.map((name) => [name, clark(name)]));
const COLLECTION = clark('d:collection');

/** @param path the decoded path of the response's href */
export const readFileEntry = (response: DavResponse, path: string): FileEntry => {
  const value = (name: EntryProperty) => response.properties.get(NAMES.get(name) ?? clark(name));
  const text = (name: EntryProperty) => value(name)?.text.trim() || null;
  const isFolder = value('d:resourcetype')?.elements.some(({ name }) => name === COLLECTION) ?? false;
  const ownerId = text('oc:owner-id');
  return {
    path,
    name: path.slice(path.lastIndexOf('/') + 1),
    kind: isFolder ? 'folder' : 'file',
    fileId: text('oc:fileid'),
    size: bytes(text('oc:size') ?? text('d:getcontentlength')),
    mimetype: isFolder ? null : (text('d:getcontenttype')?.split(';')[0]?.trim() ?? null),
    modifiedAt: date(text('d:getlastmodified')),
    etag: text('d:getetag'),
    rights: rights(text('oc:permissions') ?? '', isFolder),
    mount: mount(text('nc:mount-type')),
    isMountRoot: text('nc:is-mount-root') === 'true',
    isEncryptedFolder: isFolder && text('nc:is-encrypted') === '1',
    owner: ownerId === null ? null : { id: ownerId, name: text('oc:owner-display-name') ?? ownerId },
    sharedWith: shareKinds(value('oc:share-types')?.elements.map((element) => element.text) ?? []),
    lock: lock(text),
  };
};

const bytes = (text: string | null): number | null =>
  text !== null && /^\d{1,16}$/.test(text) ? Number(text) : null;

const date = (text: string | null): Date | null => {
  const at = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? null : new Date(at);
};

/** Letters of `oc:permissions`: R share, G read, D delete, NV rename and move, W write a file, CK create in a folder. */
const rights = (letters: string, isFolder: boolean): FileRights => {
  const has = (letter: string) => letters.includes(letter);
  return {
    read: has('G'),
    write: !isFolder && has('W'),
    create: isFolder && (has('C') || has('K')),
    delete: has('D'),
    move: has('N') || has('V'),
    share: has('R'),
  };
};

const MOUNTS: Readonly<Record<string, FileMount>> = {
  shared: 'shared',
  'shared-root': 'shared',
  group: 'group',
  external: 'external',
  'external-session': 'external',
  collective: 'collective',
};

const mount = (type: string | null): FileMount => (type === null ? 'local' : (MOUNTS[type] ?? 'other'));

const SHARE_KINDS: Readonly<Record<string, ShareKind>> = {
  '0': 'user',
  '1': 'group',
  '3': 'link',
  '4': 'email',
  '6': 'federated',
  '7': 'team',
  '9': 'federated',
  '10': 'room',
  '12': 'deck',
};

export const shareKindOf = (type: string): ShareKind | undefined => SHARE_KINDS[type.trim()];

const shareKinds = (types: readonly string[]): ShareKind[] => {
  const kinds = types.map(shareKindOf).filter((kind) => kind !== undefined);
  return [...new Set(kinds)];
};

const LOCK_OWNERS: Readonly<Record<string, FileLock['by']>> = { '0': 'user', '1': 'app', '2': 'client' };

const lock = (text: (name: EntryProperty) => string | null): FileLock | null => {
  if (text('nc:lock') !== '1') return null;
  const by = LOCK_OWNERS[text('nc:lock-owner-type') ?? '0'] ?? 'user';
  const person = text('nc:lock-owner-displayname') ?? text('nc:lock-owner');
  return { by, holder: by === 'app' ? (text('nc:lock-owner-editor') ?? person) : person };
};
