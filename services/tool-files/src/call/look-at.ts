import { ancestorsOf, FILES_ERRORS, isFilesError, ROOT } from '@nuqloud/nextcloud';
import type { FileEntry, FilePath } from '@nuqloud/nextcloud';
import { ToolFailure } from '@nuqloud/tool-sdk';
import type { FilesCall } from './files-call';
import { requireAllowed } from './require-allowed';

/**
 * Asks Nextcloud about a path that the bot may use, and looks at the folders above it meanwhile:
 * nothing inside an end-to-end encrypted folder is touched, and a path that does not exist is
 * answered with the nearest folder that does.
 */
export const lookAt = async <T>(
  { files, allowed }: FilesCall,
  path: FilePath,
  ask: (path: FilePath) => Promise<T>,
): Promise<T> => {
  requireAllowed(allowed, path);
  const [above, answer] = await Promise.allSettled([foldersAbove(files, path), ask(path)]);
  if (above.status === 'rejected') throw above.reason;
  for (const folder of above.value) requireUnencrypted(folder);
  if (answer.status === 'fulfilled') return answer.value;
  if (!isFilesError(answer.reason, FILES_ERRORS.NOT_FOUND)) throw answer.reason;
  const nearest = nearestOf(path, above.value);
  throw missing(path, allowed.includes(nearest) ? nearest : null);
};

/** @throws ToolFailure for an end-to-end encrypted folder */
export const requireUnencrypted = ({ isEncryptedFolder, path }: FileEntry): void => {
  if (!isEncryptedFolder) return;
  throw new ToolFailure(
    `"${path}" is end-to-end encrypted: only the person's own devices can open it, so nothing in it is touched.`,
  );
};

/** The folders above a path that exist. Only they tell of encryption: the mark on a file means another kind. */
const foldersAbove = async (files: FilesCall['files'], path: FilePath): Promise<FileEntry[]> => {
  const looks = ancestorsOf(path).map(async (folder) => {
    try {
      return await files.stat(folder);
    } catch (error) {
      if (isFilesError(error, FILES_ERRORS.NOT_FOUND)) return null;
      throw error;
    }
  });
  return (await Promise.all(looks)).filter((folder) => folder !== null);
};

const nearestOf = (path: FilePath, existing: readonly FileEntry[]): FilePath =>
  ancestorsOf(path).find((folder) =>
    existing.some((entry) => entry.path === folder && entry.kind === 'folder'),
  ) ?? ROOT;

const missing = (path: FilePath, nearest: FilePath | null): ToolFailure => {
  const hints = [
    nearest === null ? '' : ` "${nearest}" exists; files_list shows what is in it.`,
    /%[0-9a-f]{2}/i.test(path) ? ' Write names as they are shown, not percent-encoded.' : '',
  ];
  return new ToolFailure(`There is no file or folder "${path}".${hints.join('')}`);
};
