import type { ConfirmationRefusalCode } from '@nuqloud/contracts';
import { AppError } from '@nuqloud/platform';

/** What this service does not do, and why; told to the service that asked. */
export class ConfirmationRefusal extends AppError {
  constructor(
    override readonly code: ConfirmationRefusalCode,
    message: string,
    options: { retryable?: boolean; cause?: unknown } = {},
  ) {
    super(code, message, options);
  }
}
