import { CONFIRMATION_REFUSALS } from '@nuqloud/contracts';
import { AppError } from '@nuqloud/platform';
import { ConfirmationRefusal } from '../domain/confirmation-refusal';

/** Words a failed query for callers; what else went wrong within it passes. @throws ConfirmationRefusal STORE_UNAVAILABLE */
export const fromStore = async <T>(query: PromiseLike<T>): Promise<T> => {
  try {
    return await query;
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new ConfirmationRefusal(
      CONFIRMATION_REFUSALS.STORE_UNAVAILABLE,
      'The database of confirmations cannot be used at the moment; nothing has changed.',
      { retryable: true, cause },
    );
  }
};

/** A change waits for a lock and for the record of it, in milliseconds. */
export const CHANGE = { maxWait: 5_000, timeout: 8_000 };
