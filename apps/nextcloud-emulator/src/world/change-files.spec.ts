import fc from 'fast-check';
import { NOW, worldOf } from '../../test/worlds';
import { copyNode, createFile, createFolder, moveNode, overwriteFile, rollBack } from './change-files';
import { isWithin, pathOf, walk } from './file-tree';
import { entryAt } from './mounted-files';
import { deleteEntry, restoreItem, restoredName, trashOf } from './trash';
import type { FileNode, FolderNode, TreeNode, World } from './world';

function home(world: World): FolderNode {
  const root = world.files.get('alice');
  if (!root) throw new Error('alice has files');
  return root;
}

const startingWorld = () =>
  worldOf({
    users: [{ id: 'alice' }],
    files: { alice: { '/a/b/c.txt': 'c', '/a/d.txt': 'd', '/e/': null } },
  });

describe('files that change', () => {
  /** One random step; numbers pick among what there is at that moment. */
  const step = fc.record({
    kind: fc.constantFrom('file', 'folder', 'overwrite', 'move', 'copy', 'delete', 'restore'),
    pick: fc.nat(50),
    into: fc.nat(50),
    name: fc.constantFrom('x.txt', 'y', 'z.md'),
  });

  type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

  function play(world: World, { kind, pick, into, name }: Step, nowMs: number): void {
    const nodes = [...walk(home(world), '/')].map(({ node }) => node);
    const folders = nodes.filter((node): node is FolderNode => node.kind === 'folder');
    const folder = folders[into % folders.length];
    const node = nodes.slice(1)[pick % Math.max(1, nodes.length - 1)];
    if (!folder) return;
    const free = !folder.children.has(name);
    if (kind === 'file' && free) createFile(world, folder, name, Buffer.from('new'), nowMs);
    if (kind === 'folder' && free) createFolder(world, folder, name, nowMs);
    if (kind === 'overwrite' && node?.kind === 'file') overwriteFile(world, node, Buffer.from(name), nowMs);
    if (kind === 'move' && node && free && !isWithin(folder, node))
      moveNode(world, node, folder, name, nowMs);
    if (kind === 'copy' && node && free && !isWithin(folder, node))
      copyNode(world, node, folder, name, nowMs);
    if (kind === 'delete' && node) {
      const entry = entryAt(world, 'alice', pathOf(node));
      if (entry) deleteEntry(world, 'alice', entry, nowMs);
    }
    const [item] = trashOf(world, 'alice');
    if (kind === 'restore' && item) restoreItem(world, 'alice', item, nowMs);
  }

  it('stay one tree with every id once, whatever happens', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const world = startingWorld();
        steps.forEach((one, at) => play(world, one, NOW + at * 400));
        const tops: TreeNode[] = [home(world), ...trashOf(world, 'alice').map(({ item }) => item.node)];
        const all = tops.flatMap((top) => [...walk(top, '/')].map(({ node }) => node));
        expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
        for (const node of all) {
          if (node.kind === 'file') continue;
          for (const [name, child] of node.children) {
            expect(child.name).toBe(name);
            expect(child.parent).toBe(node);
          }
        }
        expect(tops.every((top) => top.parent === null)).toBe(true);
      }),
    );
  });

  it('show every change in the ETag of the root', () => {
    const shapeOf = (world: World) =>
      [...walk(home(world), '/')]
        .map(({ path, node }) => `${path} ${node.id} ${node.kind === 'file' ? node.content.toString() : ''}`)
        .join();
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const world = startingWorld();
        steps.forEach((one, at) => {
          const before = { etag: home(world).etag, shape: shapeOf(world) };
          play(world, one, NOW + at * 400);
          if (shapeOf(world) !== before.shape) expect(home(world).etag).not.toBe(before.etag);
        });
      }),
    );
  });
});

describe('a file that is overwritten', () => {
  const file = (world: World): FileNode => {
    const node = entryAt(world, 'alice', '/a/d.txt')?.node;
    if (node?.kind !== 'file') throw new Error('alice has /a/d.txt');
    return node;
  };

  it('keeps its old content as a version, and can have it back', () => {
    const world = startingWorld();
    const node = file(world);
    const written = node.modifiedAt;
    overwriteFile(world, node, Buffer.from('second'), NOW);
    expect(node.versions).toEqual([{ timestamp: written, content: Buffer.from('d') }]);
    rollBack(world, node, written, NOW + 5_000);
    expect(node.content.toString()).toBe('d');
    expect(node.modifiedAt).toBe(written);
    expect(node.versions.map(({ content }) => content.toString())).toEqual(['second']);
  });

  it('has no versions where the app for them is not installed', () => {
    const world = startingWorld();
    world.versions = { ...world.versions, apps: new Set() };
    overwriteFile(world, file(world), Buffer.from('second'), NOW);
    expect(file(world).versions).toEqual([]);
  });
});

describe('the name of what is restored', () => {
  it.each([
    [[], 'f.txt', 'f.txt'],
    [['f.txt'], 'f.txt', 'f (restored).txt'],
    [['f.txt', 'f (restored).txt'], 'f.txt', 'f (restored 2).txt'],
    [['folder'], 'folder', 'folder (restored)'],
    [['.hidden'], '.hidden', '.hidden (restored)'],
  ])('beside %j, %s becomes %s', (taken, name, expected) => {
    const world = worldOf({ users: [{ id: 'alice' }] });
    for (const one of taken) createFile(world, home(world), one, Buffer.from(''), NOW);
    expect(restoredName(home(world), name)).toBe(expected);
  });
});
