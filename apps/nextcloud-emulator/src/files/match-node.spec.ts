import fc from 'fast-check';
import { worldOf } from '../../test/worlds';
import { findNode } from '../world/file-tree';
import { clark, DAV, OWNCLOUD } from './dav-names';
import { matches } from './match-node';
import type { Candidate } from './match-node';

function fileNamed(name: string): Candidate {
  const root = worldOf({ users: [{ id: 'alice' }], files: { alice: { [`/${name}`]: 'content' } } }).files.get(
    'alice',
  );
  const node = root && findNode(root, `/${name}`);
  if (!node) throw new Error(`alice has ${name}`);
  return { name: node.name, node };
}

const like = (literal: string) => ({ kind: 'like' as const, property: clark(DAV, 'displayname'), literal });

describe('matches', () => {
  it.each([
    ['report.txt', '%port%', true],
    ['Report.TXT', '%report.txt', true],
    ['report.txt', 'report', false],
    ['100%.txt', '100\\%%', true],
    ['1000.txt', '100\\%%', false],
    ['a_b', 'a\\_b', true],
    ['axb', 'a_b', true],
    ['a.b', 'a_b', true],
    ['axb', 'a.b', false],
    ['(x)', '(x)', true],
    ['straße 👍', '% 👍', true],
  ])('compares %s with LIKE %s: %s', (name, pattern, expected) => {
    expect(matches(fileNamed(name), like(pattern))).toBe(expected);
  });

  it('finds a name by itself once every special sign is escaped, whatever the name', () => {
    const names = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .map((name) => name.replace(/[/\0]|^\.{1,2}$/g, 'x'));
    fc.assert(
      fc.property(names, (name) => {
        expect(matches(fileNamed(name), like(name.replace(/[\\%_]/g, '\\$&')))).toBe(true);
      }),
    );
  });

  it('combines and compares numbers', () => {
    const file = fileNamed('a.txt');
    const size = { kind: 'gt' as const, property: clark(OWNCLOUD, 'size'), literal: '3' };
    const id = { kind: 'eq' as const, property: clark(OWNCLOUD, 'fileid'), literal: String(file.node.id) };
    const since = {
      kind: 'gte' as const,
      property: clark(DAV, 'getlastmodified'),
      literal: '2026-03-02T08:15:00Z',
    };
    expect(
      matches(file, { kind: 'and', of: [size, id, since, { kind: 'not', of: { kind: 'is-collection' } }] }),
    ).toBe(true);
    expect(matches(file, { kind: 'or', of: [{ kind: 'not', of: size }, { kind: 'is-collection' }] })).toBe(
      false,
    );
  });

  it('refuses a property that cannot be searched', () => {
    expect(() =>
      matches(fileNamed('a'), { kind: 'eq', property: clark(DAV, 'getetag'), literal: '' }),
    ).toThrow(/not searchable/);
  });
});
