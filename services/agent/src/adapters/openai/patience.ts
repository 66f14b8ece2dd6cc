import { MODEL_FAILURES } from '../../domain/model-failures';
import type { ModelFailureCode } from '../../domain/model-failures';
import type { ModelFailure } from '../../ports/model';

const OUTAGES: ReadonlySet<ModelFailureCode> = new Set([
  MODEL_FAILURES.UNREACHABLE,
  MODEL_FAILURES.TIMEOUT,
  MODEL_FAILURES.UNAVAILABLE,
  MODEL_FAILURES.BUSY,
  MODEL_FAILURES.GARBAGE,
]);

/** The endpoint is away or out of its mind: another one may answer the same request. */
export const isOutage = (code: ModelFailureCode): boolean => OUTAGES.has(code);

/** One answer may go wrong; an endpoint that fails twice in a row is away. */
const TRIES = 2;
/** Being told to wait is no failure. */
const TRIES_WHEN_BUSY = 5;
const PAUSE_MS = 250;
const PAUSE_WHEN_BUSY_MS = 2_000;

/**
 * How long to wait, in milliseconds, before the same endpoint is asked again; undefined: it is not.
 * @param tries made so far
 * @param leftMs of the patience with it
 */
export const pauseBefore = (
  { code, retryable, retryAfterMs }: Pick<ModelFailure, 'code' | 'retryable' | 'retryAfterMs'>,
  tries: number,
  leftMs: number,
): number | undefined => {
  if (!retryable) return undefined;
  const isBusy = code === MODEL_FAILURES.BUSY;
  if (tries >= (isBusy ? TRIES_WHEN_BUSY : TRIES)) return undefined;
  const pause = retryAfterMs ?? (isBusy ? PAUSE_WHEN_BUSY_MS * tries : PAUSE_MS);
  return pause < leftMs ? pause : undefined;
};
