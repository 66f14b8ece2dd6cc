import type { FileEntry } from './file-entry';
import { parseFilePath } from './file-path';
import type { FilePath } from './file-path';
import type { FilesClient } from './files-client';
import { measureFolder } from './measure-folder';

const at = (text: string): FilePath => {
  const parsed = parseFilePath(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.path;
};

type Tree = Readonly<Record<string, readonly Partial<FileEntry>[]>>;

/** Lists a folder two entries at a time. */
const filesOf = (tree: Tree): Pick<FilesClient, 'list'> => ({
  list: (path, { cursor = '0' }) => {
    const all = tree[path] ?? [];
    const offset = Number(cursor);
    const entries = all.slice(offset, offset + 2).map((entry) => ({
      kind: 'file' as const,
      sharedWith: [],
      isEncryptedFolder: false,
      isMountRoot: false,
      ...entry,
    })) as unknown as FileEntry[];
    return Promise.resolve({
      folder: null,
      entries,
      offset,
      total: all.length,
      changed: false,
      cursorAfter: (count) => (offset + count < all.length ? String(offset + count) : null),
    });
  },
});

const folder = (path: string, over: Partial<FileEntry> = {}): Partial<FileEntry> => ({
  path,
  kind: 'folder',
  ...over,
});

const TREE: Tree = {
  '/a': [{ path: '/a/1' }, { path: '/a/2' }, { path: '/a/3', sharedWith: ['user'] }, folder('/a/b')],
  '/a/b': [{ path: '/a/b/4' }, folder('/a/b/c'), folder('/a/b/m', { isMountRoot: true })],
  '/a/b/c': [{ path: '/a/b/c/5' }],
  '/a/b/m': [{ path: '/a/b/m/not-counted' }],
};

it('counts the files of all folders and pages, but not what is mounted in them', async () => {
  expect(await measureFolder(filesOf(TREE), at('/a'))).toEqual({
    files: 5,
    atLeast: false,
    encrypted: [],
    shared: ['/a/3'],
  });
});

it('stops when it has seen enough, and says so', async () => {
  const few = (limits: { folders: number; entries: number }) =>
    measureFolder(filesOf(TREE), at('/a'), limits);
  expect(await few({ folders: 1, entries: 100 })).toMatchObject({ files: 3, atLeast: true });
  expect(await few({ folders: 100, entries: 2 })).toMatchObject({ files: 2, atLeast: true });
  expect(await few({ folders: 3, entries: 100 })).toMatchObject({ files: 5, atLeast: false });
});

it('names the encrypted folders that it meets', async () => {
  const tree = { '/a': [folder('/a/secret', { isEncryptedFolder: true })] };
  expect((await measureFolder(filesOf(tree), at('/a'))).encrypted).toEqual(['/a/secret']);
});

it('finds nothing in an empty folder', async () => {
  expect(await measureFolder(filesOf({}), at('/a'))).toMatchObject({ files: 0, atLeast: false });
});
