import { ancestorsOf, ROOT } from '@nuqloud/nextcloud';
import type { FileEntry } from '@nuqloud/nextcloud';
import { ToolFailure } from '@nuqloud/tool-sdk';
import { showLock } from '../domain/show-file';
import { isRevision } from '../domain/target';
import type { FilesCall } from './files-call';
import { nearestOf } from './look-at';
import type { Surroundings } from './look-at';

/** A file whose revision is known, so that nothing but that revision is changed. */
export type RevisedFile = FileEntry & { readonly etag: string };

/**
 * A folder in which something can be made.
 * @throws ToolFailure naming the folder that is missing and the nearest that exists
 */
export const requireFolderFor = ({ allowed }: FilesCall, { path, above }: Surroundings): void => {
  const wanted = ancestorsOf(path)[0] ?? ROOT;
  // The root is always there.
  if (wanted === ROOT) return;
  const folder = above.find((entry) => entry.path === wanted);
  if (!folder) {
    const nearest = nearestOf(allowed, path, above);
    const hint = nearest === null ? '' : ` "${nearest}" exists.`;
    throw new ToolFailure(`There is no folder "${wanted}".${hint} files_mkdir makes one folder at a time.`);
  }
  if (folder.kind === 'file') throw new ToolFailure(`"${wanted}" is a file, so nothing can be put into it.`);
  if (!folder.rights.create) {
    throw new ToolFailure(`This person may not add anything to "${wanted}".`);
  }
};

/** @throws ToolFailure for what is no file, may not be written, is open elsewhere or has another revision */
export const requireWritableFile = (entry: FileEntry, revision: string | undefined): RevisedFile => {
  const { path, kind, rights } = entry;
  if (kind === 'folder') throw new ToolFailure(`"${path}" is a folder; give the path of a file.`);
  if (!rights.write) throw new ToolFailure(`This person may not change "${path}".`);
  requireClosed(entry);
  const revised = requireRevision(entry);
  if (revision !== undefined && !isRevision(revision, revised.etag)) {
    throw new ToolFailure(
      `"${path}" has changed: its revision is ${revised.etag} and not the given \`revision\`. Read it again first.`,
    );
  }
  return revised;
};

/** An editor would write over what was changed behind its back. @throws ToolFailure */
export const requireClosed = ({ path, lock }: FileEntry): void => {
  if (lock?.by !== 'app') return;
  throw new ToolFailure(`"${path}" is ${showLock(lock)}; nothing is changed while it is open there.`);
};

/** Without a revision nobody could tell whether it is still what was shown. @throws ToolFailure */
export const requireRevision = (entry: FileEntry): RevisedFile => {
  const { etag, path } = entry;
  if (etag === null) throw new ToolFailure(`Nextcloud tells no revision of "${path}", so it is not changed.`);
  return { ...entry, etag };
};
