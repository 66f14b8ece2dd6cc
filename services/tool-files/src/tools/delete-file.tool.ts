import { destructiveToolPolicy } from '@nuqloud/contracts';
import type { EffectFact } from '@nuqloud/contracts';
import { measureFolder, ROOT } from '@nuqloud/nextcloud';
import type { FolderContent, Keeping } from '@nuqloud/nextcloud';
import { definePlannedTool, ToolFailure } from '@nuqloud/tool-sdk';
import type { ToolAnswer } from '@nuqloud/tool-sdk';
import { z } from 'zod';
import type { FilesCall } from '../call/files-call';
import { findDeleted } from '../call/find-deleted';
import { lookAround, lookAtExisting } from '../call/look-at';
import type { Surroundings } from '../call/look-at';
import { requireClosed, requireRevision } from '../call/require-writable';
import type { RevisedFile } from '../call/require-writable';
import { whoHasAccess } from '../call/who-has-access';
import { accessFact } from '../domain/access';
import { isMountRoot } from '../domain/place';
import { showMount, showName } from '../domain/show-file';
import { targetOf } from '../domain/target';
import { pathArgument } from './path-argument';

interface Doomed extends Surroundings {
  readonly entry: RevisedFile;
  /** Somebody else's: it only leaves this person's view. */
  readonly isReceivedShare: boolean;
}

export const deleteFile = definePlannedTool({
  name: 'files_delete',
  description: 'Deletes a file, or a folder with everything in it.',
  label: 'Delete a file or folder',
  summary: 'Deletes a file or a folder, after asking.',
  policy: destructiveToolPolicy(),
  arguments: z.strictObject({ path: pathArgument('File or folder') }),
  look: async ({ path }, call: FilesCall) => {
    if (path === ROOT) throw new ToolFailure('"/" cannot be deleted; name a file or folder in it.');
    // Whether it comes back is asked for meanwhile.
    const [around, keeping] = await Promise.all([lookAtExisting(call, path), call.server.keeping()]);
    const doomed: Doomed = {
      ...around,
      entry: requireRevision(around.entry),
      isReceivedShare: around.entry.mount === 'shared' && isMountRoot(around),
    };
    requireDeletable(doomed);
    return { doomed, keeping, targets: [targetOf(doomed.entry)] };
  },
  confirm: async ({ path }, { doomed, keeping }, call) => ({
    verb: 'files.delete',
    target: path,
    facts: doomed.isReceivedShare ? unsharingFacts(doomed) : await deletionFacts(doomed, keeping, call),
  }),
  act: async ({ path }, { doomed }, call) => {
    const { entry } = doomed;
    await call.writer.remove(path, entry.kind === 'file' ? entry.etag : null);
    return deleted(doomed, call);
  },
  settled: async ({ path }, { doomed }, call) => {
    const { entry } = await lookAround(call, path);
    return entry?.fileId === doomed.entry.fileId ? null : deleted(doomed, call);
  },
});

const requireDeletable = (doomed: Doomed): void => {
  const { entry, isReceivedShare } = doomed;
  if (isReceivedShare) return;
  if (isMountRoot(doomed)) {
    throw new ToolFailure(
      `"${entry.path}" is where a ${showMount(entry) ?? 'mounted storage'} begins, which is taken away in Nextcloud's settings only.`,
    );
  }
  if (!entry.rights.delete) throw new ToolFailure(`This person may not delete "${entry.path}".`);
  requireClosed(entry);
};

const unsharingFacts = ({ entry }: Doomed): EffectFact[] => [
  ...(entry.size === null ? [] : [{ kind: 'size', bytes: entry.size } as const]),
  { kind: 'stays-with', name: showName(entry.owner?.name ?? 'its owner') },
];

const deletionFacts = async (doomed: Doomed, keeping: Keeping, call: FilesCall): Promise<EffectFact[]> => {
  const { entry } = doomed;
  const content = await contentOf(doomed, call);
  const access = await whoHasAccess(call, doomed, content?.shared.slice(0, LOOKED_INTO));
  // What lies on an external storage may not reach the trash, and a warning too many does no harm.
  const comesBack = keeping.trash && entry.mount !== 'external';
  return [
    ...sizeFacts(entry, content),
    ...accessFacts(access, content),
    { kind: comesBack ? 'goes-to-trash' : 'is-final' },
  ];
};

/** "Nobody else" is said of what was seen to its end only. */
const accessFacts = (names: readonly string[], content: FolderContent | null): EffectFact[] => {
  const isAll = content === null || (!content.atLeast && content.shared.length <= LOOKED_INTO);
  if (isAll) return [accessFact(names)];
  return [...(names.length > 0 ? [accessFact(names)] : []), { kind: 'not-all-seen' }];
};

/** Shared things in a folder whose sharees are asked for. */
const LOOKED_INTO = 10;

const contentOf = async ({ entry, path }: Doomed, call: FilesCall): Promise<FolderContent | null> => {
  if (entry.kind === 'file') return null;
  const content = await measureFolder(call.files, path);
  const [encrypted] = content.encrypted;
  if (encrypted === undefined) return content;
  throw new ToolFailure(
    `In "${entry.path}" lies "${encrypted}", which is end-to-end encrypted, so the folder is not touched.`,
  );
};

const sizeFacts = ({ size: bytes }: RevisedFile, content: FolderContent | null): EffectFact[] => {
  if (content) return [{ kind: 'contains', files: content.files, bytes, atLeast: content.atLeast }];
  return bytes === null ? [] : [{ kind: 'size', bytes }];
};

const deleted = async ({ entry, isReceivedShare }: Doomed, call: FilesCall): Promise<ToolAnswer> => {
  const name = showName(entry.path);
  const receipt = { action: 'files.delete', target: entry.path, before: entry.etag };
  if (isReceivedShare) {
    return { text: `"${name}" is no longer in this person's files; its owner still has it.`, receipt };
  }
  const item = await findDeleted(call, entry);
  if (!item) return { text: `Deleted "${name}". It was not found in the trash.`, receipt };
  return {
    text: `Deleted "${name}". It is in the trash; files_restore with trash_id "${item.id}" brings it back.`,
    receipt: { ...receipt, undo: { tool: 'files_restore', arguments: { trash_id: item.id } } },
  };
};
