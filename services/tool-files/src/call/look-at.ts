import { ancestorsOf, FILES_ERRORS, isFilesError, ROOT } from '@nuqloud/nextcloud';
import type { FileEntry, FilePath } from '@nuqloud/nextcloud';
import { ToolFailure } from '@nuqloud/tool-sdk';
import type { FilesCall } from './files-call';
import { requireAllowed } from './require-allowed';

/** What was asked of a path, with the folders above it that exist, innermost first and without the root. */
export interface Looked<T> {
  readonly answer: T;
  readonly above: readonly FileEntry[];
}

/** A path that may not exist yet, with what is around it. */
export interface Surroundings {
  readonly path: FilePath;
  readonly entry: FileEntry | null;
  readonly above: readonly FileEntry[];
}

/**
 * Asks Nextcloud about a path that the bot may use, and looks at the folders above it meanwhile:
 * nothing inside an end-to-end encrypted folder is touched, and a path that does not exist is
 * answered with the nearest folder that does.
 */
export const lookAt = async <T>(
  { files, allowed }: FilesCall,
  path: FilePath,
  ask: (path: FilePath) => Promise<T>,
): Promise<Looked<T>> => {
  requireAllowed(allowed, path);
  const [above, answer] = await Promise.allSettled([foldersAbove(files, path), ask(path)]);
  if (above.status === 'rejected') throw above.reason;
  for (const folder of above.value) requireUnencrypted(folder);
  if (answer.status === 'fulfilled') return { answer: answer.value, above: above.value };
  if (!isFilesError(answer.reason, FILES_ERRORS.NOT_FOUND)) throw answer.reason;
  throw missing(path, nearestOf(allowed, path, above.value));
};

/** As `lookAt`, for a path where something may be made. */
export const lookAround = async (call: FilesCall, path: FilePath): Promise<Surroundings> => {
  const { answer: entry, above } = await lookAt(call, path, (wanted) => statOrNull(call.files, wanted));
  if (entry) requireUnencrypted(entry);
  return { path, entry, above };
};

/** As `lookAround`, for something that has to exist. @throws ToolFailure with the nearest folder that does */
export const lookAtExisting = async (
  call: FilesCall,
  path: FilePath,
): Promise<Surroundings & { readonly entry: FileEntry }> => {
  const around = await lookAround(call, path);
  if (!around.entry) throw missing(path, nearestOf(call.allowed, path, around.above));
  return { ...around, entry: around.entry };
};

/** @throws ToolFailure for an end-to-end encrypted folder */
export const requireUnencrypted = ({ isEncryptedFolder, path }: FileEntry): void => {
  if (!isEncryptedFolder) return;
  throw new ToolFailure(
    `"${path}" is end-to-end encrypted: only the person's own devices can open it, so nothing in it is touched.`,
  );
};

/** The nearest folder above that exists, where it may be named. */
export const nearestOf = (
  allowed: FilesCall['allowed'],
  path: FilePath,
  existing: readonly FileEntry[],
): FilePath | null => {
  const nearest =
    ancestorsOf(path).find((folder) =>
      existing.some((entry) => entry.path === folder && entry.kind === 'folder'),
    ) ?? ROOT;
  return allowed.includes(nearest) ? nearest : null;
};

const statOrNull = async (files: FilesCall['files'], path: FilePath): Promise<FileEntry | null> => {
  try {
    return await files.stat(path);
  } catch (error) {
    if (isFilesError(error, FILES_ERRORS.NOT_FOUND)) return null;
    throw error;
  }
};

/** The folders above a path that exist. Only they tell of encryption: the mark on a file means another kind. */
const foldersAbove = async (files: FilesCall['files'], path: FilePath): Promise<FileEntry[]> => {
  const looks = await Promise.all(ancestorsOf(path).map((folder) => statOrNull(files, folder)));
  return looks.filter((folder) => folder !== null);
};

const missing = (path: FilePath, nearest: FilePath | null): ToolFailure => {
  const hints = [
    nearest === null ? '' : ` "${nearest}" exists; files_list shows what is in it.`,
    /%[0-9a-f]{2}/i.test(path) ? ' Write names as they are shown, not percent-encoded.' : '',
  ];
  return new ToolFailure(`There is no file or folder "${path}".${hints.join('')}`);
};
