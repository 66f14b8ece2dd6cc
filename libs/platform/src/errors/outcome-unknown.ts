import { AppError } from './app-error';
import type { AppErrorOptions } from './app-error';

/**
 * A write was sent and no answer came, or none that tells: it may have happened, may not have, or may still happen.
 * Nobody may send it again before looking.
 */
export class OutcomeUnknown extends AppError {
  constructor(code: string, message: string, options: AppErrorOptions = {}) {
    super(code, message, options);
  }
}
