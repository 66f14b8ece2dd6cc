import { AppError } from '@nuqloud/platform';

/** What can go wrong between two services; every one is a typed answer to one message. */
export const BUS_ERRORS = {
  /** No answer came before the deadline. */
  TIMEOUT: 'BUS.TIMEOUT',
  /** Nobody serves this at the moment. */
  NO_RESPONDERS: 'BUS.NO_RESPONDERS',
  /** What was sent is not what the message says. */
  INVALID_REQUEST: 'BUS.INVALID_REQUEST',
  /** What came back is not what the message says. */
  INVALID_REPLY: 'BUS.INVALID_REPLY',
  /** The body is larger than the bus carries. */
  TOO_LARGE: 'BUS.TOO_LARGE',
  /** The service has more in hand than it takes. */
  OVERLOADED: 'BUS.OVERLOADED',
  /** The server refuses this subject to this user. */
  NOT_PERMITTED: 'BUS.NOT_PERMITTED',
  /** There is no connection to the bus. */
  DISCONNECTED: 'BUS.DISCONNECTED',
  /** A value cannot stand in a subject. */
  INVALID_SUBJECT: 'BUS.INVALID_SUBJECT',
  /** The service failed; its log says how. */
  INTERNAL: 'BUS.INTERNAL',
  /** The stream or consumer does not exist: `nuqloud init` makes it. */
  NOT_SET_UP: 'BUS.NOT_SET_UP',
  /** The server does not let this service in: its key does not fit. */
  REFUSED: 'BUS.REFUSED',
  /** NATS_URL is not an address. */
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
