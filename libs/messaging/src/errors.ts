import { AppError } from '@nuqloud/platform';

/** What can go wrong between two services; every one is a typed answer to one message. */
export const BUS_ERRORS = {
  TIMEOUT: 'BUS.TIMEOUT',
  NO_RESPONDERS: 'BUS.NO_RESPONDERS',
  INVALID_REQUEST: 'BUS.INVALID_REQUEST',
  INVALID_REPLY: 'BUS.INVALID_REPLY',
  TOO_LARGE: 'BUS.TOO_LARGE',
  OVERLOADED: 'BUS.OVERLOADED',
  NOT_PERMITTED: 'BUS.NOT_PERMITTED',
  DISCONNECTED: 'BUS.DISCONNECTED',
  INVALID_SUBJECT: 'BUS.INVALID_SUBJECT',
  INTERNAL: 'BUS.INTERNAL',
  NOT_SET_UP: 'BUS.NOT_SET_UP',
  REFUSED: 'BUS.REFUSED',
  INVALID_URL: 'BUS.INVALID_URL',
} as const;

export type BusErrorCode = (typeof BUS_ERRORS)[keyof typeof BUS_ERRORS];

const RETRYABLE: ReadonlySet<BusErrorCode> = new Set([
  BUS_ERRORS.TIMEOUT,
  BUS_ERRORS.NO_RESPONDERS,
  BUS_ERRORS.OVERLOADED,
  BUS_ERRORS.DISCONNECTED,
]);

export class BusError extends AppError {
  constructor(code: BusErrorCode, message: string, cause?: unknown) {
    super(code, message, { retryable: RETRYABLE.has(code), cause });
  }
}

/** The other service refused or failed; `code` is its own. */
export class RemoteError extends AppError {}
