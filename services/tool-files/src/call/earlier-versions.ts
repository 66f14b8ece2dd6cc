import type { FileEntry, FileVersion } from '@nuqloud/nextcloud';
import type { FilesCall } from './files-call';

/** The kept versions of a file, the latest first. Newer servers list the current content among them, which is none. */
export const earlierVersions = async (call: FilesCall, entry: FileEntry): Promise<FileVersion[]> => {
  if (entry.fileId === null) return [];
  const current = String(Math.floor((entry.modifiedAt?.getTime() ?? 0) / 1_000));
  const versions = await call.versions.list(entry.fileId, entry.path);
  return versions.filter(({ id }) => id !== current);
};
