import { AppError } from '@nuqloud/platform';

export type Redelivery = { readonly again: true; readonly delayMs: number } | { readonly again: false };

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** An error nobody foresaw may pass; after so many tries it is taken for a fault of the message. */
const UNFORESEEN_TRIES = 15;

/**
 * Whether a message that could not be handled comes again. A store that is down is waited for
 * without end (the error says it is retryable); a message that can never be handled must not
 * hold up those behind it.
 */
export const redelivery = (error: unknown, delivery: number): Redelivery => {
  const delayMs = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(delivery - 1, 10));
  const again = error instanceof AppError ? error.retryable : delivery < UNFORESEEN_TRIES;
  return again ? { again, delayMs } : { again: false };
};
