import { writeToolPolicy } from '@nuqloud/contracts';
import type { PlannedTarget } from '@nuqloud/contracts';
import type { FilePath, TrashItem } from '@nuqloud/nextcloud';
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

export const restoreFile = definePlannedTool({
  name: 'files_restore',
  description: 'Brings something back from the trash to where it was.',
  label: 'Restore from the trash',
  summary: 'Brings something back from the trash.',
  policy: writeToolPolicy({ idempotent: true }),
  arguments: z.strictObject({ trash_id: z.string().min(1).max(300).describe('From files_trash') }),
  look: async ({ trash_id: id }, call: FilesCall) => {
    const item = await findItem(id, call);
    const around = await lookAround(call, item.from);
    if (around.entry) {
      throw new ToolFailure(
        `Where it was there is something else by now, and that is not overwritten: "${item.from}". It stays in the trash until that place is free.`,
      );
    }
    requireFolderFor(call, around);
    return { ...around, item, targets: [targetOf(item)] };
  },
  confirm: async (_args, seen, call) => {
    if (call.taint.length === 0 || !isSharedPlace(seen)) return null;
    const access = accessFact(await whoHasAccess(call, seen));
    return { verb: 'files.restore-shared', target: seen.path, facts: [access] };
  },
  act: async ({ trash_id: id }, { item }, call) => {
    await call.trash.restore(id);
    return restored(item, (await lookAround(call, item.from)).entry?.fileId ?? null);
  },
  settled: async (_args, { item }, call) => {
    const { entry } = await lookAround(call, item.from);
    return entry !== null && entry.fileId === item.fileId ? restored(item, entry.fileId) : null;
  },
});

type FoundItem = TrashItem & { readonly from: FilePath };

/** @throws ToolFailure for what cannot be found or was where no path leads */
const findItem = async (id: string, call: FilesCall): Promise<FoundItem> => {
  if (/[/\\\p{Cc}]/u.test(id) || id === '.' || id === '..') {
    throw new ToolFailure('`trash_id` must be one that files_trash shows.');
  }
  const item = await call.trash.find(id);
  if (item.from === null) throw new ToolFailure('Nextcloud does not say where that was; restore it there.');
  return { ...item, from: item.from };
};

/** What lies in the trash does not change; the same name may be deleted a second time. */
const targetOf = ({ fileId, from, deletedAt }: FoundItem): PlannedTarget => ({
  id: fileId ?? '',
  name: from,
  revision: deletedAt?.toISOString() ?? null,
});

/** Nextcloud gives another name where the place was taken in the last moment. */
const restored = ({ from, fileId }: FoundItem, found: string | null): ToolAnswer => {
  const receipt = { action: 'files.restore', target: from };
  if (found === null || (fileId !== null && found !== fileId)) {
    return {
      text: `Restored what was "${showName(from)}", but the place was taken meanwhile: Nextcloud put it next to it with "(restored)" in its name.`,
      receipt,
    };
  }
  const undo = { tool: 'files_delete', arguments: { path: from } };
  return { text: `Restored "${showName(from)}".`, receipt: { ...receipt, undo } };
};
