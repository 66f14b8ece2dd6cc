import { randomUUID } from 'node:crypto';
import { continueTrace } from '@nuqloud/platform';
import { headers } from 'nats';
import type { MsgHdrs } from 'nats';

/** Headers that travel with every message and are handed on to the messages it causes. */
export const MESSAGE_HEADERS = {
  /** One id for everything that one chat message sets in motion: 1 to 64 of letters, digits, _ and -. */
  correlationId: 'Nuqloud-Correlation-Id',
  /** Milliseconds since the epoch after which nobody waits for the answer any more. */
  deadline: 'Nuqloud-Deadline',
  /** W3C trace context. */
  traceparent: 'traceparent',
} as const;

const CORRELATION_FORM = /^[A-Za-z0-9_-]{1,64}$/;

/** What travels with every message and is handed on to the messages it causes. */
export interface MessageContext {
  /** One id for everything that one chat message sets in motion. */
  readonly correlationId: string;
  readonly traceparent: string;
  /** Milliseconds since the epoch after which nobody waits for the answer any more. */
  readonly deadline: number;
}

export const newContext = (deadline: number, correlationId: string = randomUUID()): MessageContext => ({
  correlationId,
  traceparent: continueTrace(undefined),
  deadline,
});

export const toHeaders = (context: MessageContext): MsgHdrs => {
  const result = headers();
  result.set(MESSAGE_HEADERS.correlationId, context.correlationId);
  result.set(MESSAGE_HEADERS.deadline, String(context.deadline));
  result.set(MESSAGE_HEADERS.traceparent, continueTrace(context.traceparent));
  return result;
};

/** Missing or malformed headers (a foreign client may send none) are replaced, never refused. */
export const fromHeaders = (received: MsgHdrs | undefined, defaultDeadline: number): MessageContext => {
  const correlationId = received?.get(MESSAGE_HEADERS.correlationId) ?? '';
  const deadline = Number(received?.get(MESSAGE_HEADERS.deadline) ?? '');
  return {
    correlationId: CORRELATION_FORM.test(correlationId) ? correlationId : randomUUID(),
    traceparent: continueTrace(received?.get(MESSAGE_HEADERS.traceparent)),
    deadline:
      Number.isSafeInteger(deadline) && deadline > 0 ? Math.min(deadline, defaultDeadline) : defaultDeadline,
  };
};
