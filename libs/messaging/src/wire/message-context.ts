import { randomUUID } from 'node:crypto';
import { continueTrace } from '@nuqloud/platform';
import { headers } from 'nats';
import type { MsgHdrs } from 'nats';

const CORRELATION = 'Nuqloud-Correlation-Id';
const DEADLINE = 'Nuqloud-Deadline';
const TRACEPARENT = 'traceparent';
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
  result.set(CORRELATION, context.correlationId);
  result.set(DEADLINE, String(context.deadline));
  result.set(TRACEPARENT, continueTrace(context.traceparent));
  return result;
};

/** Missing or malformed headers (a foreign client may send none) are replaced, never refused. */
export const fromHeaders = (received: MsgHdrs | undefined, defaultDeadline: number): MessageContext => {
  const correlationId = received?.get(CORRELATION) ?? '';
  const deadline = Number(received?.get(DEADLINE) ?? '');
  return {
    correlationId: CORRELATION_FORM.test(correlationId) ? correlationId : randomUUID(),
    traceparent: continueTrace(received?.get(TRACEPARENT)),
    deadline:
      Number.isSafeInteger(deadline) && deadline > 0 ? Math.min(deadline, defaultDeadline) : defaultDeadline,
  };
};
