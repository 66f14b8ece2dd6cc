import { createHash } from 'node:crypto';
import { FILES_ERRORS, FilesError } from './files-error';

/** Where a listing goes on, and what shows whether the folder is still the one that was listed. */
export interface ListCursor {
  /** Entries of the folder that came before. */
  readonly offset: number;
  /** Entries of the folder, as the first page counted them. */
  readonly total: number;
  /** The server's own memory of the listing, where it pages itself. */
  readonly token: string | null;
  /** Fingerprint of the folder's ETag otherwise. */
  readonly version: string | null;
}

export const FIRST_PAGE: ListCursor = { offset: 0, total: 0, token: null, version: null };

const FORM = /^(\d{1,9})\.(\d{1,9})\.(?:t([\w-]{1,400})|e([0-9a-f]{8}))?$/;
/** What may stand in a header. */
const HEADER_TEXT = /^[\x21-\x7e]{1,300}$/;

export const formatListCursor = ({ offset, total, token, version }: ListCursor): string => {
  const mark = token === null ? (version === null ? '' : `e${version}`) : `t${encode(token)}`;
  return `${offset}.${total}.${mark}`;
};

/** @throws FilesError INVALID_CURSOR: a cursor comes back from outside and may be anything */
export const parseListCursor = (text: string): ListCursor => {
  const [, offset, total, encoded, version] = FORM.exec(text) ?? [];
  const token = encoded === undefined ? null : Buffer.from(encoded, 'base64url').toString('utf8');
  if (offset === undefined || total === undefined || (token !== null && !HEADER_TEXT.test(token))) {
    throw new FilesError(
      FILES_ERRORS.INVALID_CURSOR,
      'The cursor is not one that an earlier page gave; leave it out to start from the beginning.',
    );
  }
  return { offset: Number(offset), total: Number(total), token, version: version ?? null };
};

export const versionOf = (etag: string | null): string | null =>
  etag === null ? null : createHash('sha256').update(etag).digest('hex').slice(0, 8);

const encode = (token: string): string => Buffer.from(token, 'utf8').toString('base64url');
