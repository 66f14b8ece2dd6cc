import { writeToolPolicy } from '@nuqloud/contracts';
import { FILES_ERRORS, FilesError, ROOT } from '@nuqloud/nextcloud';
import type { FilePath } from '@nuqloud/nextcloud';
import { definePlannedTool, ToolFailure } from '@nuqloud/tool-sdk';
import type { ToolAnswer } from '@nuqloud/tool-sdk';
import { z } from 'zod';
import type { FilesCall } from '../call/files-call';
import { lookAround } from '../call/look-at';
import { requireFolderFor } from '../call/require-writable';
import { whoHasAccess } from '../call/who-has-access';
import { accessFact } from '../domain/access';
import { isSharedPlace } from '../domain/place';
import { showName } from '../domain/show-file';
import { newTarget } from '../domain/target';
import { pathArgument } from './path-argument';

export const makeFolder = definePlannedTool({
  name: 'files_mkdir',
  description: 'Makes a folder; the one it lies in must exist.',
  label: 'Make a folder',
  summary: 'Makes a new folder.',
  policy: writeToolPolicy({ idempotent: true }),
  arguments: z.strictObject({ path: pathArgument('New folder') }),
  look: async ({ path }, call: FilesCall) => {
    if (path === ROOT) throw new ToolFailure('"/" is always there; `path` must name a new folder.');
    const around = await lookAround(call, path);
    if (around.entry?.kind === 'file') throw new ToolFailure(`"${path}" is a file; take another name.`);
    if (!around.entry) requireFolderFor(call, around);
    return { ...around, targets: around.entry ? [] : [newTarget(path)] };
  },
  confirm: async ({ path }, seen, call) => {
    if (seen.entry || call.taint.length === 0 || !isSharedPlace(seen)) return null;
    const access = accessFact(await whoHasAccess(call, seen));
    return { verb: 'files.mkdir-shared', target: path, facts: [access] };
  },
  act: async ({ path }, { entry }, call) => {
    if (entry) return alreadyThere(path);
    try {
      await call.writer.makeFolder(path);
    } catch (error) {
      if (await wasMadeMeanwhile(error, path, call)) return alreadyThere(path);
      throw error;
    }
    return made(path);
  },
  settled: async ({ path }, { entry }, call) => {
    const now = await lookAround(call, path);
    return !entry && now.entry?.kind === 'folder' ? made(path) : null;
  },
});

/** Of several attempts at once one makes it; the others are told 405, or 403 by some servers. */
const wasMadeMeanwhile = async (error: unknown, path: FilePath, call: FilesCall): Promise<boolean> => {
  const lost =
    error instanceof FilesError &&
    (error.code === FILES_ERRORS.EXISTS || error.code === FILES_ERRORS.FORBIDDEN);
  return lost && (await lookAround(call, path)).entry?.kind === 'folder';
};

/** What was wanted is so, and nothing was done that could be undone. */
const alreadyThere = (path: FilePath): ToolAnswer => ({ text: `"${showName(path)}" exists already.` });

const made = (path: FilePath): ToolAnswer => ({
  text: `Made the folder "${showName(path)}".`,
  receipt: {
    action: 'files.mkdir',
    target: path,
    undo: { tool: 'files_delete', arguments: { path } },
  },
});
