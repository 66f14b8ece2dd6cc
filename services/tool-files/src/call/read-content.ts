import { FILES_ERRORS, isFilesError } from '@nuqloud/nextcloud';
import type { FileEntry, FilePath } from '@nuqloud/nextcloud';
import type { FilesCall } from './files-call';

/** All bytes of the revision that was looked at. @throws FilesError CHANGED where another took its place meanwhile */
export const readContent = async (
  { files }: FilesCall,
  { etag }: Pick<FileEntry, 'etag'>,
  path: FilePath,
  range?: { readonly start: number; readonly length: number },
): Promise<Buffer> => {
  const content = await files.read(path, {
    ...(range && { range }),
    ...(etag !== null && { ifMatch: etag }),
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of content.chunks) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** Whether the file holds these bytes and no others. */
export const holdsExactly = async (
  call: FilesCall,
  entry: FileEntry,
  path: FilePath,
  bytes: Uint8Array,
): Promise<boolean> => {
  if (entry.kind !== 'file' || (entry.size !== null && entry.size !== bytes.length)) return false;
  try {
    return (await readContent(call, entry, path)).equals(bytes);
  } catch (error) {
    if (isFilesError(error, FILES_ERRORS.CHANGED)) return false;
    throw error;
  }
};
