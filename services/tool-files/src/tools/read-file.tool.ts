import { readToolPolicy } from '@nuqloud/contracts';
import type { FileEntry, FilePath } from '@nuqloud/nextcloud';
import { defineTool, ToolFailure } from '@nuqloud/tool-sdk';
import { z } from 'zod';
import type { FilesCall } from '../call/files-call';
import { lookAtExisting } from '../call/look-at';
import { readContent } from '../call/read-content';
import { foreignSource } from '../call/who-has-access';
import type { PersonClock } from '../domain/person-clock';
import { showName, showSize } from '../domain/show-file';
import { CHARACTER_REST, readTextPart } from '../domain/text-part';
import type { TextPart } from '../domain/text-part';
import { pathArgument } from './path-argument';

/** A byte of UTF-8 is at most one character, so that a part and the words above it stay below the cap. */
const MAX_LENGTH = 15_000;

export const readFile = defineTool({
  name: 'files_read',
  description: 'Reads a text file, long ones in parts. Give path or file_id.',
  label: 'Read a file',
  summary: 'Reads the text of a file.',
  policy: readToolPolicy(),
  arguments: z
    .strictObject({
      path: pathArgument('File').optional(),
      file_id: z
        .string()
        .refine((id) => /^[0-9]{1,20}$/.test(id), { error: 'must be the digits of a file id' })
        .optional(),
      offset: z.int().min(0).optional().describe('First byte'),
      length: z.int().min(1).max(MAX_LENGTH).optional().describe('Bytes'),
    })
    .refine(({ path, file_id: id }) => (path === undefined) !== (id === undefined), {
      error: 'give either `path` or `file_id`',
    }),
  run: async (args, call: FilesCall) => {
    const path = args.path ?? (await call.files.pathById(args.file_id ?? ''));
    const around = await lookAtExisting(call, path);
    const { entry } = around;
    const { offset = 0, length = MAX_LENGTH } = args;
    requireReadable(entry, path, offset);
    if (entry.size === 0) return { text: `"${showName(path)}" is an empty file.` };
    const range = { start: offset, length: length + CHARACTER_REST };
    const [bytes, foreign] = await Promise.all([
      readContent(call, entry, path, range),
      foreignSource(call, around),
    ]);
    const part = readTextPart(bytes, offset, length);
    if (part === null) return { text: noText(entry) };
    const text = showPart(entry, part, bytes.length > part.end - offset, call.clock);
    return { text, ...(foreign !== undefined && { foreign }) };
  },
});

const requireReadable = ({ kind, size }: FileEntry, path: FilePath, offset: number): void => {
  if (kind === 'folder') throw new ToolFailure(`"${path}" is a folder; files_list shows what is in it.`);
  if (offset > 0 && size !== null && offset >= size) {
    throw new ToolFailure(`"${path}" has only ${size} bytes; \`offset\` must be smaller.`);
  }
};

const noText = ({ path, mimetype, size }: FileEntry): string =>
  `"${showName(path)}" is no UTF-8 text (${mimetype ?? 'type unknown'}, ${showSize(size)}), so its content cannot be shown.`;

const showPart = (entry: FileEntry, part: TextPart, hasMore: boolean, clock: PersonClock): string => {
  const { size, mimetype } = entry;
  const total = size ?? (hasMore ? null : part.end);
  const goesOn = total === null || part.end < total;
  const extent = goesOn || part.start > CHARACTER_REST;
  const what = extent ? `bytes ${part.start} to ${part.end} of ${total ?? 'more'}` : 'the whole file';
  const more = goesOn ? `; for the rest call files_read with offset ${part.end}` : '';
  return [
    `"${showName(entry.path)}" | ${mimetype ?? 'type unknown'} | ${showSize(size)} | ${clock.show(entry.modifiedAt)} (${clock.zone})`,
    `Below: ${what}${more}.`,
    '',
    part.text,
  ].join('\n');
};
