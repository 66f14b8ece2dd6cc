import { AppError } from '@nuqloud/platform';
import { headers } from 'nats';
import type { Msg, MsgHdrs } from 'nats';
import { z } from 'zod';
import { BUS_ERRORS, BusError, RemoteError } from '../errors';

/** Error headers of the NATS Services API, which its tools and clients understand. */
const ERROR = 'Nats-Service-Error';
const ERROR_CODE = 'Nats-Service-Error-Code';

const ErrorBody = z.object({
  /** Logged by whoever asked, so it must not be able to carry text. */
  code: z.string().regex(/^[A-Z][A-Z0-9_.]{0,79}$/),
  message: z.string().max(4_000),
  retryable: z.boolean(),
});
type ErrorBody = z.infer<typeof ErrorBody>;

/** Our own errors are told to the caller; anything else only as "failed", because its message may quote content. */
export const toErrorReply = (service: string, error: unknown): { body: ErrorBody; headers: MsgHdrs } => {
  const body: ErrorBody =
    error instanceof AppError
      ? { code: error.code, message: error.message.slice(0, 4_000), retryable: error.retryable }
      : { code: BUS_ERRORS.INTERNAL, message: `${service} failed to answer.`, retryable: false };
  const result = headers();
  result.set(ERROR, body.code);
  result.set(ERROR_CODE, body.retryable ? '503' : '500');
  return { body, headers: result };
};

/** The error a reply carries, or undefined for an ordinary answer. */
export const errorOfReply = (contract: string, reply: Msg): AppError | undefined => {
  if (!reply.headers?.has(ERROR)) return undefined;
  try {
    const body = ErrorBody.parse(reply.json());
    return new RemoteError(body.code, body.message, { retryable: body.retryable });
  } catch (cause) {
    return new BusError(
      BUS_ERRORS.INVALID_REPLY,
      `${contract} was refused without a readable reason.`,
      cause,
    );
  }
};
