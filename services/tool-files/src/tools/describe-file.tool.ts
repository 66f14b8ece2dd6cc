import { readToolPolicy } from '@nuqloud/contracts';
import type { FileEntry, FileRights } from '@nuqloud/nextcloud';
import { defineTool } from '@nuqloud/tool-sdk';
import { z } from 'zod';
import type { FilesCall } from '../call/files-call';
import { lookAtExisting } from '../call/look-at';
import { foreignSource } from '../call/who-has-access';
import type { PersonClock } from '../domain/person-clock';
import { showLock, showMount, showName, showSize, showSource } from '../domain/show-file';
import { pathArgument } from './path-argument';

export const describeFile = defineTool({
  name: 'files_info',
  description: 'Tells type, size, date, revision, rights, owner, shares and lock of a file or folder.',
  label: 'Describe a file or folder',
  summary: 'Tells size, date, owner, shares and rights of a file or folder.',
  policy: readToolPolicy(),
  arguments: z.strictObject({ path: pathArgument('File or folder') }),
  run: async ({ path }, call: FilesCall) => {
    const place = await lookAtExisting(call, path);
    const { entry } = place;
    const foreign = namesOthers(entry) ? showSource(entry.path) : await foreignSource(call, place);
    return { text: describe(entry, call.clock), ...(foreign !== undefined && { foreign }) };
  },
});

/** What people call themselves is theirs to choose: sharees, and whoever else holds the lock. */
const namesOthers = ({ sharedWith, lock, owner }: FileEntry): boolean =>
  sharedWith.length > 0 || (lock !== null && (owner === null || lock.holder !== owner.name));

const describe = (entry: FileEntry, clock: PersonClock): string => {
  const { owner, lock } = entry;
  const facts: [string, string | null][] = [
    ['path', showName(entry.path)],
    ['type', entry.kind === 'folder' ? 'folder' : `file, ${entry.mimetype ?? 'type unknown'}`],
    ['size', entry.size === null ? null : `${showSize(entry.size)} (${entry.size} bytes)`],
    ['modified', `${clock.show(entry.modifiedAt)} (${clock.zone})`],
    ['id', entry.fileId],
    ['revision', entry.etag],
    ['allowed', showRights(entry.rights)],
    ['owner', owner === null ? null : `${showName(owner.name)} (${showName(owner.id)})`],
    ['place', showMount(entry)],
    ['shared with', entry.sharedWith.length > 0 ? entry.sharedWith.join(', ') : null],
    ['lock', lock === null ? null : showLock(lock)],
  ];
  return facts
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
};

const RIGHTS: readonly [keyof FileRights, string][] = [
  ['read', 'read'],
  ['write', 'change'],
  ['create', 'add to it'],
  ['move', 'rename and move'],
  ['delete', 'delete'],
  ['share', 'share'],
];

const showRights = (rights: FileRights): string => {
  const allowed = RIGHTS.filter(([right]) => rights[right]).map(([, words]) => words);
  return allowed.length > 0 ? allowed.join(', ') : 'nothing';
};
