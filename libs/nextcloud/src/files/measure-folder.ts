import type { FileEntry } from './file-entry';
import { parseFilePath } from './file-path';
import type { FilePath } from './file-path';
import type { FilesClient } from './files-client';

/** What lies in a folder, as far as it was looked through. */
export interface FolderContent {
  readonly files: number;
  /** It was not looked through to its end. */
  readonly atLeast: boolean;
  /** Of what was seen. */
  readonly encrypted: readonly string[];
  /** What was seen to be shared with others. */
  readonly shared: readonly FilePath[];
}

export interface MeasureLimits {
  readonly folders: number;
  readonly entries: number;
}

const PAGE = 500;

/**
 * Counts what deleting a folder would take along, folder by folder, until it is through or has seen enough. What is
 * mounted in it (a received share, a team folder) is not looked into: it would only leave this person's view.
 */
export const measureFolder = async (
  files: Pick<FilesClient, 'list'>,
  root: FilePath,
  limits: MeasureLimits = { folders: 100, entries: 5_000 },
): Promise<FolderContent> => {
  const seen = { files: 0, entries: 0, encrypted: [] as string[], shared: [] as FilePath[] };
  const open = [root];
  for (let looked = 0; open.length > 0 && looked < limits.folders; looked += 1) {
    const folder = open.shift();
    if (folder === undefined) break;
    for await (const entry of entriesOf(files, folder)) {
      if (seen.entries >= limits.entries) return result(seen, true);
      seen.entries += 1;
      note(seen, entry, open);
    }
  }
  return result(seen, open.length > 0);
};

async function* entriesOf(files: Pick<FilesClient, 'list'>, folder: FilePath): AsyncGenerator<FileEntry> {
  let cursor: string | undefined;
  do {
    const page = await files.list(folder, { limit: PAGE, cursor });
    yield* page.entries;
    cursor = page.cursorAfter(page.entries.length) ?? undefined;
  } while (cursor !== undefined);
}

interface Seen {
  files: number;
  entries: number;
  readonly encrypted: string[];
  readonly shared: FilePath[];
}

const note = (seen: Seen, entry: FileEntry, open: FilePath[]): void => {
  const parsed = parseFilePath(entry.path);
  if (entry.isEncryptedFolder) seen.encrypted.push(entry.path);
  if (entry.sharedWith.length > 0 && parsed.ok) seen.shared.push(parsed.path);
  if (entry.kind === 'file') seen.files += 1;
  else if (!entry.isMountRoot && parsed.ok) open.push(parsed.path);
};

const result = ({ files, encrypted, shared }: Seen, atLeast: boolean): FolderContent => ({
  files,
  atLeast,
  encrypted,
  shared,
});
