import { isNativeError } from 'node:util/types';

export interface AppErrorOptions {
  /** Whether the same call may succeed later. */
  retryable?: boolean;
  cause?: unknown;
}

/**
 * An error that another part of the system, or a person, can act on.
 * `code` is stable (`AREA.REASON`); `message` says what is wrong and what to do,
 * and never holds a secret or the text of a message or file.
 */
export class AppError extends Error {
  readonly retryable: boolean;

  constructor(
    readonly code: string,
    message: string,
    options: AppErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.retryable = options.retryable ?? false;
  }
}

export const isAppError = (error: unknown, code?: string): error is AppError =>
  error instanceof AppError && (code === undefined || error.code === code);

/** Foreign codes are logged only where they look like one. */
const CODE = /^[A-Za-z0-9_.-]{1,80}$/;

/** The code to log for any thrown value; what was thrown otherwise may quote user content. */
export const errorCode = (error: unknown): string => {
  if (error instanceof AppError) return error.code;
  if (isNativeError(error)) {
    const { code } = error as Error & { code?: unknown };
    return typeof code === 'string' && CODE.test(code) ? code : error.name;
  }
  return 'UNKNOWN';
};
