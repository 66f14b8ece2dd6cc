import type { FileEntry, FileMount } from '@nuqloud/nextcloud';
import { isMountRoot, isSharedPlace, mountRootOf } from './place';

const entry = (path: string, mount: FileMount, over: Partial<FileEntry> = {}): FileEntry => ({
  path,
  name: path,
  kind: 'folder',
  fileId: '1',
  size: 0,
  mimetype: null,
  modifiedAt: null,
  etag: '"e"',
  rights: { read: true, write: true, create: true, delete: true, move: true, share: true },
  mount,
  isMountRoot: false,
  isEncryptedFolder: false,
  owner: null,
  sharedWith: [],
  lock: null,
  ...over,
});

const own = entry('/a', 'local');
const sharedOut = entry('/s', 'local', { sharedWith: ['link'] });

describe('a place', () => {
  it.each<[string, FileEntry | null, FileEntry[], boolean]>([
    ['in one’s own folder', entry('/a/b', 'local'), [own], false],
    ['that is new in the root', null, [], false],
    ['that is new in a shared folder', null, [sharedOut], true],
    ['below a folder that is shared', entry('/s/b/c', 'local'), [own, sharedOut], true],
    ['that is shared itself', sharedOut, [], true],
    ['in a received share', entry('/r/x', 'shared'), [entry('/r', 'shared')], true],
    ['in a team folder', null, [entry('/t', 'group')], true],
    ['on an external storage', null, [entry('/e', 'external')], true],
    ['whose kind is not known', null, [entry('/o', 'other')], true],
  ])('%s can be seen by others: %#', (_what, at, above, shared) => {
    expect(isSharedPlace({ entry: at, above })).toBe(shared);
  });
});

describe('where a mount begins', () => {
  it('is told by the server, or by the folder above being none of it', () => {
    const root = entry('/r', 'shared');
    expect(isMountRoot({ entry: entry('/r', 'shared', { isMountRoot: true }), above: [] })).toBe(true);
    expect(isMountRoot({ entry: root, above: [] })).toBe(true);
    expect(isMountRoot({ entry: entry('/a/r', 'shared'), above: [own] })).toBe(true);
    expect(isMountRoot({ entry: entry('/r/x', 'shared'), above: [root] })).toBe(false);
    expect(isMountRoot({ entry: own, above: [] })).toBe(false);
    expect(isMountRoot({ entry: null, above: [root] })).toBe(false);
  });

  it('is found from anything in it', () => {
    const team = entry('/a/t', 'group');
    const inner = entry('/a/t/i', 'group');
    const chain = { entry: entry('/a/t/i/x', 'group'), above: [inner, team, own] };
    expect(mountRootOf(chain)).toBe(team);
    expect(mountRootOf({ entry: null, above: [inner, team] })).toBe(team);
    expect(mountRootOf({ entry: own, above: [] })).toBeNull();
    expect(mountRootOf({ entry: null, above: [] })).toBeNull();
  });
});
