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
  const newest = [...items].sort((a, b) => timeOf(b) - timeOf(a));
  const byId = fileId === null ? undefined : newest.find((item) => item.fileId === fileId);
  if (byId) return byId;
  return newest.find((item) => item.from === path && timeOf(item) >= now - CLOCK_DIFFERENCE_MS) ?? null;
};

const timeOf = ({ deletedAt }: TrashItem): number => deletedAt?.getTime() ?? 0;
