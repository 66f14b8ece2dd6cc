import { describeError, errorCode } from '@nuqloud/platform';
import type { DescribedError } from '@nuqloud/platform';

/** For the log: what was refused, and the code of what caused it (`ECONNREFUSED`, `TimedOut`). */
export const describeRefusal = (error: unknown): DescribedError & { cause?: string } => ({
  ...describeError(error),
  ...(error instanceof Error && error.cause !== undefined && { cause: errorCode(error.cause) }),
});
