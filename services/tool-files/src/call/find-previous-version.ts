import type { FileEntry } from '@nuqloud/nextcloud';
import { AppError } from '@nuqloud/platform';
import type { FilesCall } from './files-call';

/**
 * The version in which the content that was just replaced is kept, named by the second at which the file had got it;
 * null where none is kept (Nextcloud keeps none of empty files), or where nobody can tell.
 */
export const findPreviousVersion = async (call: FilesCall, before: FileEntry): Promise<string | null> => {
  if (before.fileId === null || before.modifiedAt === null) return null;
  const id = String(Math.floor(before.modifiedAt.getTime() / 1_000));
  try {
    const versions = await call.versions.list(before.fileId, before.path);
    return versions.some((version) => version.id === id) ? id : null;
  } catch (error) {
    // The deed is done and only its undoing is unknown: no reason to report a failure.
    if (error instanceof AppError) return null;
    throw error;
  }
};
