import { readToolPolicy } from '@nuqloud/contracts';
import type { FilePath, TrashItem } from '@nuqloud/nextcloud';
import { ancestorsOf, isWithin, ROOT } from '@nuqloud/nextcloud';
import { defineTool } from '@nuqloud/tool-sdk';
import { z } from 'zod';
import type { FilesCall } from '../call/files-call';
import { isOwn } from '../call/who-has-access';
import { showName, showSize } from '../domain/show-file';
import { pathArgument } from './path-argument';

const SHOWN = 100;
/** Folders that are looked at for whose names come from them. */
const LOOKED_AT = 20;

export const listTrash = defineTool({
  name: 'files_trash',
  description: 'Lists what was deleted and can be restored, the latest first.',
  label: 'Look into the trash',
  summary: 'Shows what was deleted and can come back.',
  policy: readToolPolicy(),
  arguments: z.strictObject({ under: pathArgument('Folder it was in').optional() }),
  run: async ({ under = ROOT }, call: FilesCall) => {
    const items: FoundItem[] = [];
    for await (const item of call.trash.items()) {
      const { from } = item;
      if (from !== null && isWithin(from, under) && call.allowed.includes(from))
        items.push({ ...item, from });
    }
    items.sort((a, b) => (b.deletedAt?.getTime() ?? 0) - (a.deletedAt?.getTime() ?? 0));
    const foreign = await othersMayHaveNamed(items.slice(0, SHOWN), call);
    return {
      text: show(items, call),
      rest: 'Give `under` to see less.',
      ...(foreign && { foreign: 'the trash' }),
    };
  },
});

type FoundItem = TrashItem & { readonly from: FilePath };

/** In doubt they have. */
const othersMayHaveNamed = async (items: readonly FoundItem[], call: FilesCall): Promise<boolean> => {
  if (items.length === 0) return false;
  const { mode, uid } = await call.identity();
  // Servers before 29 do not say who deleted something.
  if (mode !== 'user' || items.some(({ deletedBy }) => deletedBy !== uid)) return true;
  const folders = [...new Set(items.flatMap(({ from }) => ancestorsOf(from)))];
  if (folders.length > LOOKED_AT) return true;
  const looks = await Promise.all(folders.map((folder) => isUnshared(folder, call)));
  return looks.includes(false);
};

const isUnshared = async (folder: FilePath, call: FilesCall): Promise<boolean> => {
  try {
    const entry = await call.files.stat(folder);
    return isOwn(entry, await call.identity()) && entry.sharedWith.length === 0;
  } catch {
    // It is gone, or Nextcloud does not say: others may have had a hand in it.
    return false;
  }
};

const show = (items: readonly FoundItem[], { clock }: FilesCall): string => {
  if (items.length === 0) return 'The trash holds nothing of that.';
  const lines = items
    .slice(0, SHOWN)
    .map(({ id, from, kind, size, deletedAt }) =>
      [
        showName(from) + (kind === 'folder' ? '/' : ''),
        showSize(size),
        `deleted ${clock.show(deletedAt)}`,
        `trash_id ${showName(id)}`,
      ].join(' | '),
    );
  const shown = Math.min(items.length, SHOWN);
  return [`The latest ${shown} of ${items.length}; times in ${clock.zone}`, ...lines].join('\n');
};
