import { destructiveToolPolicy } from '@nuqloud/contracts';
import type { PlannedEffect } from '@nuqloud/contracts';
import { ROOT } from '@nuqloud/nextcloud';
import type { FileEntry, FilePath, Keeping } from '@nuqloud/nextcloud';
import { definePlannedTool, ToolFailure } from '@nuqloud/tool-sdk';
import type { ToolAnswer } from '@nuqloud/tool-sdk';
import { z } from 'zod';
import type { FilesCall } from '../call/files-call';
import { findPreviousVersion } from '../call/find-previous-version';
import { lookAround } from '../call/look-at';
import type { Surroundings } from '../call/look-at';
import { holdsExactly } from '../call/read-content';
import { requireFolderFor, requireWritableFile } from '../call/require-writable';
import type { RevisedFile } from '../call/require-writable';
import { whoHasAccess } from '../call/who-has-access';
import { accessFact } from '../domain/access';
import { isSharedPlace } from '../domain/place';
import { showName, showSize } from '../domain/show-file';
import { newTarget, targetOf } from '../domain/target';
import { contentArgument, revisionArgument } from './content-arguments';
import { pathArgument } from './path-argument';

interface Seen extends Surroundings {
  /** What is replaced; null for a new file. */
  readonly entry: RevisedFile | null;
  /** Known where something may be replaced. */
  readonly keeping: Keeping | null;
}

export const writeFile = definePlannedTool({
  name: 'files_write',
  description: 'Creates a text file; with overwrite, replaces one.',
  label: 'Write a file',
  summary: 'Creates a text file; asks before it replaces one.',
  policy: destructiveToolPolicy(),
  arguments: z.strictObject({
    path: pathArgument('File'),
    content: contentArgument(),
    overwrite: z.boolean().optional(),
    revision: revisionArgument(),
  }),
  look: async ({ path, overwrite = false, revision }, call: FilesCall) => {
    if (path === ROOT) throw new ToolFailure('"/" is a folder; `path` must name a file.');
    const [around, keeping] = await Promise.all([
      lookAround(call, path),
      overwrite ? call.server.keeping() : null,
    ]);
    if (around.entry === null) {
      requireFolderFor(call, around);
      requireNoRevision(path, revision);
      return { ...around, entry: null, keeping, targets: [newTarget(path)] };
    }
    if (!overwrite) throw exists(around.entry, call);
    const entry = requireWritableFile(around.entry, revision);
    return { ...around, entry, keeping, targets: [targetOf(entry)] };
  },
  confirm: async (_args, seen, call) => {
    if (seen.entry) return overwriting(seen.entry, seen, call);
    return call.taint.length > 0 && isSharedPlace(seen) ? writingShared(seen, call) : null;
  },
  act: async ({ path, content }, { entry }, call) => {
    const { etag } = entry
      ? await call.writer.replace(path, content, entry.etag)
      : await call.writer.create(path, content);
    return written(path, content, entry, etag, call);
  },
  settled: async ({ path, content }, { entry }, call) => {
    const now = await lookAround(call, path);
    if (!now.entry || (entry && now.entry.etag === entry.etag)) return null;
    if (!(await holdsExactly(call, now.entry, path, Buffer.from(content)))) return null;
    return written(path, content, entry, now.entry.etag, call);
  },
});

const requireNoRevision = (path: FilePath, revision: string | undefined): void => {
  if (revision === undefined) return;
  throw new ToolFailure(`There is no file "${path}" any more; leave \`revision\` out to create it.`);
};

const exists = ({ path, kind, size, modifiedAt }: FileEntry, { clock }: FilesCall): ToolFailure =>
  new ToolFailure(
    kind === 'folder'
      ? `"${path}" is a folder; \`path\` must name a file.`
      : `"${path}" exists already (${showSize(size)}, changed ${clock.show(modifiedAt)}). Take another name, files_append to add to it, or \`overwrite\` true to replace all of it, for which the person is asked.`,
  );

const overwriting = async (entry: RevisedFile, seen: Seen, call: FilesCall): Promise<PlannedEffect> => {
  const access = await whoHasAccess(call, seen);
  // Of an empty file there is nothing to keep.
  const keeps = (seen.keeping?.versions === true && entry.mount !== 'external') || entry.size === 0;
  return {
    verb: 'files.overwrite',
    target: entry.path,
    facts: [
      ...(entry.size === null ? [] : [{ kind: 'size', bytes: entry.size } as const]),
      accessFact(access),
      { kind: keeps ? 'keeps-version' : 'keeps-no-version' },
    ],
  };
};

const writingShared = async (seen: Seen, call: FilesCall): Promise<PlannedEffect> => ({
  verb: 'files.write-shared',
  target: seen.path,
  facts: [accessFact(await whoHasAccess(call, seen))],
});

const written = async (
  path: FilePath,
  content: string,
  before: RevisedFile | null,
  etag: string | null,
  call: FilesCall,
): Promise<ToolAnswer> => {
  const size = showSize(Buffer.byteLength(content));
  const receipt = {
    action: before ? 'files.overwrite' : 'files.create',
    target: path,
    ...(before && { before: before.etag }),
    ...(etag !== null && { after: etag }),
  };
  const revision = etag === null ? '' : `, revision ${etag}`;
  if (!before) {
    const undo = { tool: 'files_delete', arguments: { path } };
    return { text: `Created "${showName(path)}" (${size}${revision}).`, receipt: { ...receipt, undo } };
  }
  const version = await findPreviousVersion(call, before);
  return {
    text: `Replaced "${showName(path)}" (${size}${revision}).`,
    receipt: {
      ...receipt,
      ...(version !== null && { undo: { tool: 'files_restore_version', arguments: { path, version } } }),
    },
  };
};
