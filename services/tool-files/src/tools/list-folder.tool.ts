import { readToolPolicy } from '@nuqloud/contracts';
import type { FileEntry, FilePage, FilePath } from '@nuqloud/nextcloud';
import { defineTool, ToolFailure } from '@nuqloud/tool-sdk';
import { z } from 'zod';
import type { FilesCall } from '../call/files-call';
import { lookAt, requireUnencrypted } from '../call/look-at';
import type { Looked } from '../call/look-at';
import { foreignSource, isOwn } from '../call/who-has-access';
import type { PersonClock } from '../domain/person-clock';
import { showMarks, showName, showSize, showSource } from '../domain/show-file';
import { pathArgument } from './path-argument';

const DEFAULT_LIMIT = 100;
/** Characters of entries in one answer; the words around them need less than what is left to the cap. */
const ENTRIES_ROOM = 14_500;

export const listFolder = defineTool({
  name: 'files_list',
  description: "Lists a folder of the person's files with sizes and dates.",
  label: 'List a folder',
  summary: 'Shows what is in a folder, page by page.',
  policy: readToolPolicy(),
  arguments: z.strictObject({
    path: pathArgument('Folder, e.g. "/" or "/Docs"'),
    cursor: z.string().optional().describe('From the page before'),
    limit: z.int().min(1).max(200).optional(),
  }),
  run: async ({ path, cursor, limit = DEFAULT_LIMIT }, call: FilesCall) => {
    const looked = await lookAt(call, path, (folder) => call.files.list(folder, { cursor, limit }));
    const page = looked.answer;
    if (page.folder) requireOpenFolder(page.folder, path);
    const foreign = await foreignNames(call, path, looked);
    return { text: showPage(path, page, call.clock), ...(foreign !== undefined && { foreign }) };
  },
});

const requireOpenFolder = (folder: FileEntry, path: FilePath): void => {
  if (folder.kind === 'file') throw new ToolFailure(`"${path}" is a file; files_read shows its text.`);
  requireUnencrypted(folder);
};

/** Names are content too: whose are there, and who may add some? */
const foreignNames = async (
  call: FilesCall,
  path: FilePath,
  { answer: { folder, entries }, above }: Looked<FilePage>,
): Promise<string | undefined> => {
  const identity = await call.identity();
  const foreign = entries.find((entry) => !isOwn(entry, identity));
  if (foreign) return showSource(foreign.path);
  // A later page of a server that pages does not tell of the folder itself.
  return foreignSource(call, { entry: folder ?? (await call.files.stat(path)), above });
};

const showPage = (path: FilePath, page: FilePage, clock: PersonClock): string => {
  if (page.total === 0) return `"${showName(path)}" is empty.`;
  if (page.entries.length === 0) {
    return `"${showName(path)}" has only ${page.total} entries by now; leave \`cursor\` out to start again.`;
  }
  const { lines, shown, hidden } = fillPage(page.entries, clock);
  const cursor = page.cursorAfter(shown);
  return [
    `"${showName(path)}": entries ${page.offset + 1} to ${page.offset + shown} of ${page.total}; times in ${clock.zone}`,
    ...(page.changed
      ? ['The folder changed since the page before: entries may be missing or come twice.']
      : []),
    ...lines,
    ...(hidden > 0 ? [`(${hidden} end-to-end encrypted folders are not shown)`] : []),
    ...(cursor === null ? [] : [`More: call files_list with the same path and cursor "${cursor}".`]),
  ].join('\n');
};

/** As many entries as an answer has room for, in the server's order. */
const fillPage = (entries: readonly FileEntry[], clock: PersonClock) => {
  const lines: string[] = [];
  let room = ENTRIES_ROOM;
  let hidden = 0;
  for (const entry of entries) {
    if (entry.isEncryptedFolder) {
      hidden += 1;
      continue;
    }
    const line = showEntry(entry, clock);
    if (line.length + 1 > room) break;
    lines.push(line);
    room -= line.length + 1;
  }
  return { lines, hidden, shown: lines.length + hidden };
};

const showEntry = (entry: FileEntry, clock: PersonClock): string =>
  [
    showName(entry.name) + (entry.kind === 'folder' ? '/' : ''),
    showSize(entry.size),
    clock.show(entry.modifiedAt),
    ...showMarks(entry),
  ].join(' | ');
