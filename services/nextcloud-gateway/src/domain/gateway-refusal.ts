import type { GatewayRefusalCode } from '@nuqloud/contracts';
import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import { AppError } from '@nuqloud/platform';

const STATUS: Readonly<Record<GatewayRefusalCode, number>> = {
  [GATEWAY_REFUSALS.INVALID_REQUEST]: 400,
  [GATEWAY_REFUSALS.INVALID_PATH]: 400,
  [GATEWAY_REFUSALS.UNAUTHENTICATED_SERVICE]: 401,
  [GATEWAY_REFUSALS.TOKEN_REPLAYED]: 401,
  [GATEWAY_REFUSALS.INVALID_ATTESTATION]: 403,
  [GATEWAY_REFUSALS.WRONG_INSTANCE]: 403,
  [GATEWAY_REFUSALS.NO_APPAPI]: 403,
  [GATEWAY_REFUSALS.NOT_A_LOCAL_USER]: 403,
  [GATEWAY_REFUSALS.KIND_CANNOT_ACT]: 403,
  [GATEWAY_REFUSALS.FOREIGN_TOOL]: 403,
  [GATEWAY_REFUSALS.NOT_GRANTED]: 403,
  [GATEWAY_REFUSALS.AGENT_MODE_UNAVAILABLE]: 403,
  [GATEWAY_REFUSALS.IDENTITY_MISMATCH]: 403,
  [GATEWAY_REFUSALS.NOT_ALLOWED]: 403,
  [GATEWAY_REFUSALS.NOT_THAT_PERSON]: 403,
  [GATEWAY_REFUSALS.UNKNOWN_INSTANCE]: 404,
  [GATEWAY_REFUSALS.NOT_FOUND]: 404,
  [GATEWAY_REFUSALS.TOO_LARGE]: 413,
  [GATEWAY_REFUSALS.BACKING_OFF]: 429,
  [GATEWAY_REFUSALS.INTERNAL]: 500,
  // Not 401: the person has done nothing wrong, our own login has failed.
  [GATEWAY_REFUSALS.CREDENTIALS_REFUSED]: 502,
  [GATEWAY_REFUSALS.NO_TALK]: 502,
  [GATEWAY_REFUSALS.NO_HISTORY_READER]: 409,
  [GATEWAY_REFUSALS.REDIRECTED]: 502,
  [GATEWAY_REFUSALS.UNREACHABLE]: 502,
  [GATEWAY_REFUSALS.UNREADABLE_ANSWER]: 502,
  [GATEWAY_REFUSALS.STORE_UNAVAILABLE]: 503,
  [GATEWAY_REFUSALS.NOT_AUDITED]: 503,
  [GATEWAY_REFUSALS.TIMEOUT]: 504,
  [GATEWAY_REFUSALS.OUTCOME_UNKNOWN]: 504,
};

const RETRYABLE: ReadonlySet<GatewayRefusalCode> = new Set([
  GATEWAY_REFUSALS.BACKING_OFF,
  GATEWAY_REFUSALS.UNREACHABLE,
  GATEWAY_REFUSALS.TIMEOUT,
  GATEWAY_REFUSALS.STORE_UNAVAILABLE,
  GATEWAY_REFUSALS.NOT_AUDITED,
]);

/** A request that the gateway does not carry out, with the HTTP status of its answer. */
export class GatewayRefusal extends AppError {
  readonly status: number;
  /** Seconds after which asking again makes sense, where that is known. */
  readonly retryAfterS: number | undefined;
  /** What Nextcloud answered, where this refusal stands for its answer. */
  readonly nextcloudStatus: number | undefined;

  constructor(
    code: GatewayRefusalCode,
    message: string,
    options: { cause?: unknown; retryAfterS?: number; nextcloudStatus?: number } = {},
  ) {
    super(code, message, { retryable: RETRYABLE.has(code), cause: options.cause });
    this.status = STATUS[code];
    this.retryAfterS = options.retryAfterS;
    this.nextcloudStatus = options.nextcloudStatus;
  }
}
