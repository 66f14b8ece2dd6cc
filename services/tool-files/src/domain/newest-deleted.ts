import type { FileEntry, TrashItem } from '@nuqloud/nextcloud';

/** Clocks of two servers may differ by this, in milliseconds. */
const CLOCK_DIFFERENCE_MS = 5 * 60 * 1_000;

/**
 * What became of a deleted entry: the item with its id or, of something in a received share, of which the person gets
 * a copy with another id, the latest that lay there.
 */
export const newestDeleted = (
  items: readonly TrashItem[],
  { fileId, path }: Pick<FileEntry, 'fileId' | 'path'>,
  now: number,
): TrashItem | null => {
  const since = now - CLOCK_DIFFERENCE_MS;
  const candidates = items
    .filter(({ deletedAt }) => (deletedAt?.getTime() ?? 0) >= since)
    .sort((a, b) => (b.deletedAt?.getTime() ?? 0) - (a.deletedAt?.getTime() ?? 0));
  const byId = fileId === null ? undefined : candidates.find((item) => item.fileId === fileId);
  return byId ?? candidates.find(({ from }) => from === path) ?? null;
};
