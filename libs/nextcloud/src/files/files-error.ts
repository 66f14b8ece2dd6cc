import { AppError, readRetryAfter } from '@nuqloud/platform';
import type { AppErrorOptions } from '@nuqloud/platform';
import type { NextcloudResponse } from '../gateway/nextcloud-response';
import type { FileLock } from './file-entry';

/** Why Nextcloud did not do what was asked of it with a file. */
export const FILES_ERRORS = {
  NOT_FOUND: 'FILES.NOT_FOUND',
  FORBIDDEN: 'FILES.FORBIDDEN',
  NOT_SIGNED_IN: 'FILES.NOT_SIGNED_IN',
  INVALID_NAME: 'FILES.INVALID_NAME',
  CHANGED: 'FILES.CHANGED',
  EXISTS: 'FILES.EXISTS',
  NO_FOLDER: 'FILES.NO_FOLDER',
  OUT_OF_RANGE: 'FILES.OUT_OF_RANGE',
  LOCKED: 'FILES.LOCKED',
  BUSY: 'FILES.BUSY',
  UNAVAILABLE: 'FILES.UNAVAILABLE',
  NO_SPACE: 'FILES.NO_SPACE',
  UNEXPECTED_ANSWER: 'FILES.UNEXPECTED_ANSWER',
  INVALID_CURSOR: 'FILES.INVALID_CURSOR',
} as const;

export type FilesErrorCode = (typeof FILES_ERRORS)[keyof typeof FILES_ERRORS];

/** `message` is written for the person who asked. */
export class FilesError extends AppError {
  constructor(
    override readonly code: FilesErrorCode,
    message: string,
    options: AppErrorOptions = {},
  ) {
    super(code, message, options);
  }
}

export const isFilesError = (error: unknown, code: FilesErrorCode): error is FilesError =>
  error instanceof FilesError && error.code === code;

const MAX_ERROR_BYTES = 16 * 1024;

/**
 * The error behind an answer that is no success.
 * @param what names the file or folder, e.g. `/Docs/plan.md`
 * @param doing what was asked for
 */
export const filesErrorOf = async (
  response: NextcloudResponse,
  what: string,
  doing: 'open' | 'change' | 'restore' = 'open',
): Promise<FilesError> => {
  // Sabre's error XML; only the class of the exception and known phrases are looked at, nothing is quoted.
  const body = await response.text(MAX_ERROR_BYTES);
  const again = { retryable: true };
  switch (response.status) {
    case 400:
      return body.includes('InvalidPath')
        ? new FilesError(FILES_ERRORS.INVALID_NAME, `Nextcloud does not accept the name of ${what}.`)
        : unexpectedAnswer(what, response.status);
    case 401:
      return new FilesError(
        FILES_ERRORS.NOT_SIGNED_IN,
        'Nextcloud did not accept the sign-in for this person; an administrator must look at the connection.',
      );
    case 403:
      return new FilesError(FILES_ERRORS.FORBIDDEN, forbidden(body, what, doing));
    case 404:
      return notFound(what);
    case 412:
      return new FilesError(
        FILES_ERRORS.CHANGED,
        `${what} changed in the meantime; look at it again and repeat the request.`,
        again,
      );
    case 416:
      return new FilesError(FILES_ERRORS.OUT_OF_RANGE, `${what} ends before that place.`);
    case 423:
      return fileLocked(what, null);
    case 429:
      return new FilesError(FILES_ERRORS.BUSY, `Nextcloud is too busy; try again ${soon(response)}.`, again);
    case 503:
      return new FilesError(FILES_ERRORS.UNAVAILABLE, unavailable(body, what, soon(response)), again);
    case 507:
      return new FilesError(FILES_ERRORS.NO_SPACE, `There is not enough space left for ${what}.`);
    default:
      return unexpectedAnswer(what, response.status);
  }
};

export const notFound = (what: string): FilesError =>
  new FilesError(FILES_ERRORS.NOT_FOUND, `There is no file or folder ${what}.`);

export const trashItemGone = (id: string): FilesError =>
  new FilesError(FILES_ERRORS.NOT_FOUND, `Nothing in the trash has the id "${id}"; files_trash lists it.`);

export const fileLocked = (what: string, lock: FileLock | null): FilesError =>
  new FilesError(FILES_ERRORS.LOCKED, `${what} is locked${lockedBy(lock)}; try again later.`, {
    retryable: true,
  });

export const unexpectedAnswer = (what: string, status: number): FilesError =>
  new FilesError(
    FILES_ERRORS.UNEXPECTED_ANSWER,
    `Nextcloud could not handle the request for ${what} (status ${status}); nothing was changed.`,
  );

const lockedBy = (lock: FileLock | null): string => {
  if (!lock) return ' because somebody is working with it';
  const holder = lock.holder ?? 'somebody';
  switch (lock.by) {
    case 'user':
      return ` by ${holder}`;
    case 'app':
      return ` because it is open in the app "${holder}"`;
    case 'client':
      return ` because it is open in a program of ${holder}`;
  }
};

const forbidden = (body: string, what: string, doing: string): string =>
  /end-to-end encrypted/i.test(body)
    ? `${what} is end-to-end encrypted and can be opened on the person's own devices only.`
    : `This person is not allowed to ${doing} ${what}.`;

const unavailable = (body: string, what: string, again: string): string => {
  if (/user disabled/i.test(body)) return 'The account of this person is disabled in Nextcloud.';
  if (/maintenance/i.test(body)) return `Nextcloud is in maintenance mode; try again ${again}.`;
  return `The storage of ${what} is not available at the moment; try again ${again}.`;
};

const soon = (response: NextcloudResponse): string => {
  const ms = readRetryAfter(response.header('retry-after'), Date.now()) ?? 0;
  return ms > 0 ? `in ${Math.ceil(ms / 1_000)} seconds` : 'in a few minutes';
};
