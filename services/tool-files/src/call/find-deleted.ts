import type { FileEntry, TrashItem } from '@nuqloud/nextcloud';
import { AppError } from '@nuqloud/platform';
import { newestDeleted } from '../domain/newest-deleted';
import type { FilesCall } from './files-call';

/** Where in the trash something lies that has just been deleted; null where it is final, or where nobody can tell. */
export const findDeleted = async (call: FilesCall, entry: FileEntry): Promise<TrashItem | null> => {
  const items: TrashItem[] = [];
  try {
    for await (const item of call.trash.items()) items.push(item);
  } catch (error) {
    // The deed is done and only its undoing is unknown: no reason to report a failure.
    if (error instanceof AppError) return null;
    throw error;
  }
  return newestDeleted(items, entry, Date.now());
};
