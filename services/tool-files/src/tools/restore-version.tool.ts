import { destructiveToolPolicy } from '@nuqloud/contracts';
import type { EffectFact } from '@nuqloud/contracts';
import type { FilePath, FileVersion } from '@nuqloud/nextcloud';
import { definePlannedTool, ToolFailure } from '@nuqloud/tool-sdk';
import type { ToolAnswer } from '@nuqloud/tool-sdk';
import { z } from 'zod';
import { earlierVersions } from '../call/earlier-versions';
import type { FilesCall } from '../call/files-call';
import { findPreviousVersion } from '../call/find-previous-version';
import { lookAtExisting } from '../call/look-at';
import { requireWritableFile } from '../call/require-writable';
import type { RevisedFile } from '../call/require-writable';
import { whoHasAccess } from '../call/who-has-access';
import { accessFact } from '../domain/access';
import { showName } from '../domain/show-file';
import { targetOf } from '../domain/target';
import { pathArgument } from './path-argument';

export const restoreVersion = definePlannedTool({
  name: 'files_restore_version',
  description: 'Replaces a file by an earlier version of it.',
  label: 'Restore an earlier version',
  summary: 'Replaces a file by an earlier version of it, after asking.',
  policy: destructiveToolPolicy(),
  arguments: z.strictObject({
    path: pathArgument('File'),
    version: z
      .string()
      .refine((id) => /^\d{1,12}$/.test(id), { error: 'must be the number of a version' })
      .describe('From files_versions'),
  }),
  look: async ({ path, version: id }, call: FilesCall) => {
    const around = await lookAtExisting(call, path);
    const entry = requireWritableFile(around.entry, undefined);
    const version = (await earlierVersions(call, entry)).find((one) => one.id === id);
    if (!version) {
      throw new ToolFailure(`"${path}" has no earlier version ${id}; files_versions lists those it has.`);
    }
    return { ...around, entry, version, targets: [targetOf(entry)] };
  },
  confirm: async ({ path }, seen, call) => ({
    verb: 'files.restore-version',
    target: path,
    facts: [
      ...versionFacts(seen.version),
      accessFact(await whoHasAccess(call, seen)),
      { kind: 'keeps-version' },
    ],
  }),
  act: async ({ path, version }, { entry }, call) => {
    await call.versions.restore(entry.fileId ?? '', version, path);
    return restored(path, entry, version, call);
  },
  settled: async ({ path, version }, { entry }, call) => {
    const now = await lookAtExisting(call, path);
    if (now.entry.etag === entry.etag) return null;
    const left = await earlierVersions(call, now.entry);
    return left.some(({ id }) => id === version) ? null : restored(path, entry, version, call);
  },
});

const versionFacts = ({ at, size }: FileVersion): EffectFact[] => [
  ...(size === null ? [] : [{ kind: 'size', bytes: size } as const]),
  ...(at === null ? [] : [{ kind: 'version-of', at: at.toISOString() } as const]),
];

const restored = async (
  path: FilePath,
  before: RevisedFile,
  version: string,
  call: FilesCall,
): Promise<ToolAnswer> => {
  const kept = await findPreviousVersion(call, before);
  return {
    text: `"${showName(path)}" is again what it was in version ${version}.`,
    receipt: {
      action: 'files.restore-version',
      target: path,
      before: before.etag,
      ...(kept !== null && { undo: { tool: 'files_restore_version', arguments: { path, version: kept } } }),
    },
  };
};
