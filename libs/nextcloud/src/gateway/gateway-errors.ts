import { GATEWAY_REFUSALS, GatewayError } from '@nuqloud/contracts';
import { AppError } from '@nuqloud/platform';
import type { NextcloudResponse } from './nextcloud-response';

/** What can go wrong between a tool and the gateway; a refusal of the gateway keeps the gateway's own code. */
export const GATEWAY_ERRORS = {
  /** The gateway itself; where it cannot reach Nextcloud it says so with a code of its own. */
  AWAY: 'GATEWAY.AWAY',
  INTERRUPTED: 'GATEWAY.INTERRUPTED',
  INVALID_ANSWER: 'GATEWAY.INVALID_ANSWER',
} as const;

export const gatewayAway = (cause: unknown): AppError =>
  new AppError(
    GATEWAY_ERRORS.AWAY,
    'The gateway to Nextcloud cannot be reached at the moment; try again shortly.',
    { retryable: true, cause },
  );

export const answerInterrupted = (cause?: unknown): AppError =>
  new AppError(
    GATEWAY_ERRORS.INTERRUPTED,
    'The connection to Nextcloud broke off in the middle of an answer; try again.',
    { retryable: true, cause },
  );

export const invalidGatewayAnswer = (cause?: unknown): AppError =>
  new AppError(GATEWAY_ERRORS.INVALID_ANSWER, 'The gateway to Nextcloud gave an unreadable answer.', {
    cause,
  });

const RETRYABLE: ReadonlySet<string> = new Set([
  GATEWAY_REFUSALS.BACKING_OFF,
  GATEWAY_REFUSALS.UNREACHABLE,
  GATEWAY_REFUSALS.TIMEOUT,
  GATEWAY_REFUSALS.STORE_UNAVAILABLE,
]);
const MAX_REFUSAL_BYTES = 16 * 1024;

/** The gateway's own refusal, as the error it describes. */
export const gatewayRefusal = async (response: NextcloudResponse): Promise<AppError> => {
  const text = await response.text(MAX_REFUSAL_BYTES);
  try {
    const { code, message } = GatewayError.parse(JSON.parse(text));
    return new AppError(code, message, { retryable: RETRYABLE.has(code) });
  } catch (cause) {
    return invalidGatewayAnswer(cause);
  }
};
