import { randomBytes } from 'node:crypto';

const TRACEPARENT = /^00-([0-9a-f]{32})-[0-9a-f]{16}-([0-9a-f]{2})$/;

/** A new W3C trace (https://www.w3.org/TR/trace-context/), sampled. */
export const startTrace = (): string =>
  `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;

/** A child span of `parent`; a malformed or missing parent starts a new trace. */
export const continueTrace = (parent: string | undefined): string => {
  const [, traceId, flags] = TRACEPARENT.exec(parent ?? '') ?? [];
  return traceId && flags ? `00-${traceId}-${randomBytes(8).toString('hex')}-${flags}` : startTrace();
};
