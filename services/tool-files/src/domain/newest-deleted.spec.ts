import { parseFilePath } from '@nuqloud/nextcloud';
import type { TrashItem } from '@nuqloud/nextcloud';
import { newestDeleted } from './newest-deleted';

const NOW = Date.parse('2026-11-30T12:00:00Z');

const item = (id: string, from: string, fileId: string, agoMs: number): TrashItem => {
  const parsed = parseFilePath(from);
  return {
    id,
    from: parsed.ok ? parsed.path : null,
    kind: 'file',
    fileId,
    size: 1,
    deletedAt: new Date(NOW - agoMs),
    deletedBy: null,
  };
};

const deleted = { fileId: '7', path: '/a.txt' };

it('finds a deleted file by its id, whenever Nextcloud thinks that was', () => {
  const items = [item('other', '/a.txt', '8', 0), item('this', '/a.txt', '7', 3_600_000)];
  expect(newestDeleted(items, deleted, NOW)?.id).toBe('this');
});

it('finds the copy of what lay in a received share by its place, the latest one', () => {
  const items = [item('old', '/a.txt', '20', 60_000), item('new', '/a.txt', '21', 1_000)];
  expect(newestDeleted(items, deleted, NOW)?.id).toBe('new');
});

it('takes nothing for it that was deleted long ago, or lay elsewhere', () => {
  expect(newestDeleted([item('old', '/a.txt', '20', 3_600_000)], deleted, NOW)).toBeNull();
  expect(newestDeleted([item('b', '/b.txt', '20', 0)], deleted, NOW)).toBeNull();
  expect(newestDeleted([], deleted, NOW)).toBeNull();
});
