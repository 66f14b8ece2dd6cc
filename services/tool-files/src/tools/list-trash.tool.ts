import { readToolPolicy } from '@nuqloud/contracts';
import type { FilePath, TrashItem } from '@nuqloud/nextcloud';
import { isWithin, ROOT } from '@nuqloud/nextcloud';
import { defineTool } from '@nuqloud/tool-sdk';
import { z } from 'zod';
import type { FilesCall } from '../call/files-call';
import { showName, showSize } from '../domain/show-file';
import { pathArgument } from './path-argument';

const SHOWN = 100;

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
    const { uid } = await call.identity();
    // Servers before 29 do not say who deleted something: in doubt somebody else, who may have named it.
    const foreign = items.some(({ deletedBy }) => deletedBy !== uid);
    return {
      text: show(items, call),
      rest: 'Give `under` to see less.',
      ...(foreign && { foreign: 'the trash' }),
    };
  },
});

type FoundItem = TrashItem & { readonly from: FilePath };

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
