import type { FileEntry, FileLock, FileMount } from '@nuqloud/nextcloud';

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;
const MAX_SHOWN_NAME = 300;

/** `1 byte`, `512 bytes`, `1.5 KB`, `12 MB`; 1 KB is 1024 bytes, as Nextcloud counts. */
export const showSize = (bytes: number | null): string => {
  if (bytes === null) return 'size unknown';
  if (bytes === 1) return '1 byte';
  let value = bytes;
  let unit = 0;
  // 1023.6 KB would round to a four-digit number of the smaller unit.
  while (Math.round(value) >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = unit > 0 && value < 9.95 ? 1 : 0;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
};

/** A name or path on one line: what would break the line is shown as a replacement character. */
export const showName = (name: string): string => {
  const line = name.replace(/[\p{Cc}\p{Surrogate}\u2028\u2029]/gu, '\ufffd');
  if (line.length <= MAX_SHOWN_NAME) return line;
  const half = Math.floor(MAX_SHOWN_NAME / 2);
  return `${[...line].slice(0, half).join('')}…${[...line].slice(-half).join('')}`;
};

/** Where content came from, within the 300 UTF-16 units that a source may have: the end of a long path says most. */
export const showSource = (path: string): string => {
  const line = showName(path);
  if (line.length <= MAX_SHOWN_NAME) return line;
  const end = line.slice(1 - MAX_SHOWN_NAME).replace(/^[\udc00-\udfff]/, '');
  return `…${end}`;
};

const MOUNTS: Readonly<Record<FileMount, string | null>> = {
  local: null,
  shared: 'shared by somebody else',
  group: 'team folder',
  external: 'external storage',
  collective: 'collective',
  other: 'mounted storage',
};

/** Where it lies, unless in the person's own space. */
export const showMount = ({ mount }: FileEntry): string | null => MOUNTS[mount];

export const showLock = ({ by, holder }: FileLock): string => {
  const who = holder === null ? 'somebody' : showName(holder);
  if (by === 'user') return `locked by ${who}`;
  return by === 'app' ? `open in the app ${who}` : `open in a program of ${who}`;
};

/** What a person should know of an entry before working with it. */
export const showMarks = (entry: FileEntry): string[] => {
  const { rights, sharedWith, lock, kind } = entry;
  const changeable = kind === 'folder' ? rights.create : rights.write;
  return [
    showMount(entry),
    sharedWith.length > 0 ? 'shared with others' : null,
    changeable ? null : 'read only',
    lock ? showLock(lock) : null,
  ].filter((mark) => mark !== null);
};
