import { writeToolPolicy } from '@nuqloud/contracts';
import { ROOT } from '@nuqloud/nextcloud';
import type { FilePath } from '@nuqloud/nextcloud';
import { definePlannedTool, ToolFailure } from '@nuqloud/tool-sdk';
import type { ToolAnswer } from '@nuqloud/tool-sdk';
import { z } from 'zod';
import type { FilesCall } from '../call/files-call';
import { findPreviousVersion } from '../call/find-previous-version';
import { lookAround } from '../call/look-at';
import { holdsExactly, readContent } from '../call/read-content';
import { requireWritableFile } from '../call/require-writable';
import type { RevisedFile } from '../call/require-writable';
import { whoHasAccess } from '../call/who-has-access';
import { accessFact } from '../domain/access';
import { appended } from '../domain/appended';
import { isSharedPlace } from '../domain/place';
import { showName, showSize } from '../domain/show-file';
import { targetOf } from '../domain/target';
import { contentArgument, revisionArgument } from './content-arguments';
import { pathArgument } from './path-argument';

/** Bytes; the whole file travels twice, because HTTP knows no appending with a condition. */
const MAX_FILE = 5 * 1024 * 1024;

export const appendToFile = definePlannedTool({
  name: 'files_append',
  description: 'Adds text at the end of an existing text file, on a new line.',
  label: 'Add to a file',
  summary: 'Adds text at the end of a text file.',
  policy: writeToolPolicy(),
  arguments: z.strictObject({
    path: pathArgument('File'),
    content: contentArgument().min(1),
    revision: revisionArgument(),
  }),
  look: async ({ path, content, revision }, call: FilesCall) => {
    if (path === ROOT) throw new ToolFailure('"/" is a folder; `path` must name a file.');
    const around = await lookAround(call, path);
    if (!around.entry) {
      throw new ToolFailure(`There is no file "${path}" to add to; files_write creates one.`);
    }
    const entry = requireWritableFile(around.entry, revision);
    const after = await withText(entry, path, content, call);
    return { ...around, entry, after, targets: [targetOf(entry)] };
  },
  confirm: async ({ path }, seen, call) => {
    if (call.taint.length === 0 || !isSharedPlace(seen)) return null;
    const access = accessFact(await whoHasAccess(call, seen));
    return { verb: 'files.append-shared', target: path, facts: [access] };
  },
  act: async ({ path, content }, { entry, after }, call) => {
    const { etag } = await call.writer.replace(path, after, entry.etag);
    return added(path, content, entry, etag, call);
  },
  settled: async ({ path, content }, { entry, after }, call) => {
    const now = await lookAround(call, path);
    if (!now.entry || now.entry.etag === entry.etag) return null;
    if (!(await holdsExactly(call, now.entry, path, after))) return null;
    return added(path, content, entry, now.entry.etag, call);
  },
});

/** The file's content as it is going to be. */
const withText = async (
  entry: RevisedFile,
  path: FilePath,
  content: string,
  call: FilesCall,
): Promise<Buffer> => {
  if ((entry.size ?? 0) > MAX_FILE) {
    throw new ToolFailure(`"${path}" is too large to add to (${showSize(entry.size)}, at most 5 MB).`);
  }
  const range = { start: 0, length: MAX_FILE + 1 };
  // Of an empty file there is no range that could be asked for.
  const bytes = entry.size === 0 ? Buffer.alloc(0) : await readContent(call, entry, path, range);
  const after = bytes.length > MAX_FILE ? null : appended(bytes, content);
  if (after === null)
    throw new ToolFailure(`"${path}" is no UTF-8 text of at most 5 MB, so nothing is added.`);
  return after;
};

const added = async (
  path: FilePath,
  content: string,
  before: RevisedFile,
  etag: string | null,
  call: FilesCall,
): Promise<ToolAnswer> => {
  const version = await findPreviousVersion(call, before);
  const revision = etag === null ? '' : `; revision ${etag}`;
  return {
    text: `Added ${showSize(Buffer.byteLength(content))} to "${showName(path)}"${revision}.`,
    receipt: {
      action: 'files.append',
      target: path,
      before: before.etag,
      ...(etag !== null && { after: etag }),
      ...(version !== null && { undo: { tool: 'files_restore_version', arguments: { path, version } } }),
    },
  };
};
