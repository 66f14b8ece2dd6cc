import { AppError } from '@nuqloud/platform';
import { headers } from 'nats';
import type { Msg, MsgHdrs } from 'nats';
import { z } from 'zod';
import { BUS_ERRORS, BusError, RemoteError } from '../errors';

/** Headers of a refusal, those of the NATS Services API, which its tools and clients understand. */
export const ERROR_HEADERS = {
  /** The code, as in the body. */
  error: 'Nats-Service-Error',
  /** 503 where it may be tried again, else 500. */
  errorCode: 'Nats-Service-Error-Code',
} as const;

/** Body of a refusal, in place of the reply. */
export const ErrorBody = z.object({
  /** Logged by whoever asked, so it must not be able to carry text. */
  code: z.string().regex(/^[A-Z][A-Z0-9_.]{0,79}$/),
  message: z.string().max(4_000),
  retryable: z.boolean(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

/** Our own errors are told to the caller; anything else only as "failed", because its message may quote content. */
export const toErrorReply = (service: string, error: unknown): { body: ErrorBody; headers: MsgHdrs } => {
  const body: ErrorBody =
    error instanceof AppError
      ? { code: error.code, message: error.message.slice(0, 4_000), retryable: error.retryable }
      : { code: BUS_ERRORS.INTERNAL, message: `${service} failed to answer.`, retryable: false };
  const result = headers();
  result.set(ERROR_HEADERS.error, body.code);
  result.set(ERROR_HEADERS.errorCode, body.retryable ? '503' : '500');
  return { body, headers: result };
};

/** The error a reply carries, or undefined for an ordinary answer. */
export const errorOfReply = (contract: string, reply: Msg): AppError | undefined => {
  if (!reply.headers?.has(ERROR_HEADERS.error)) return undefined;
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
