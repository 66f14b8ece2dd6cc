import { worldOf } from '../../test/worlds';
import { childrenOf, fileEtag, findNode, folderEtag, sizeOf, walk } from './file-tree';
import type { FolderNode } from './world';

function treeOf(files: Record<string, string | null>): FolderNode {
  const root = worldOf({ users: [{ id: 'alice' }], files: { alice: files } }).files.get('alice');
  if (!root) throw new Error('alice has files');
  return root;
}

describe('a tree of files', () => {
  it('finds a name in both spellings of its accents', () => {
    const root = treeOf({ '/Käse/é.txt': 'x' });
    expect(findNode(root, '/Käse/é.txt'.normalize('NFD'))).toBeDefined();
    expect(findNode(root, '/Käse/é.txt'.normalize('NFC'))).toBe(
      findNode(root, '/Käse/é.txt'.normalize('NFD')),
    );
  });

  it('lists names in the order of their bytes', () => {
    const root = treeOf({ '/ü': '', '/a': '', '/Z': '', '/1': '', '/日': '' });
    expect(childrenOf(root).map(({ name }) => name)).toEqual(['1', 'Z', 'a', 'ü', '日']);
  });

  it('counts the bytes of everything below a folder', () => {
    expect(sizeOf(treeOf({ '/a/b/c': '123', '/a/d': 'é', '/e/': null }))).toBe(5);
  });

  it('is walked from the top, with the path of each node', () => {
    expect([...walk(treeOf({ '/a/b': '', '/c': '' }), '/')].map(({ path }) => path)).toEqual([
      '/',
      '/a',
      '/a/b',
      '/c',
    ]);
  });

  it('finds nothing below a file', () => {
    expect(findNode(treeOf({ '/a': '' }), '/a/b')).toBeUndefined();
  });
});

describe('ETags', () => {
  it('of a file stay the same within one second, which hides a second write', () => {
    expect(fileEtag(7, 1000)).toBe(fileEtag(7, 1000));
    expect(fileEtag(7, 1000)).not.toBe(fileEtag(7, 1001));
    expect(fileEtag(7, 1000)).toMatch(/^[0-9a-f]{32}$/);
  });

  it('of a folder are 13 hex digits', () => {
    expect(folderEtag(1_796_059_576_123, 62)).toMatch(/^[0-9a-f]{13}$/);
  });
});
