import { AppError } from '@nuqloud/platform';
import type { PrismaClient } from '../generated/client';

/** What the driver adapter says of a connection that did not come about. */
interface ConnectionFailure {
  readonly kind?: string;
  /** PostgreSQL's words: they name the role and the database, never the password. */
  readonly originalMessage?: string;
}

/**
 * Makes sure at a start that the database answers this service, so that nobody has to guess it from its first query.
 * @throws AppError DATABASE.UNREACHABLE
 */
export const requireDatabase = async (prisma: PrismaClient): Promise<void> => {
  try {
    await prisma.$queryRaw`SELECT 1`;
  } catch (cause) {
    throw new AppError('DATABASE.UNREACHABLE', `DATABASE_URL cannot be used: ${whyNot(cause)}.`, {
      retryable: true,
      cause,
    });
  }
};

const whyNot = (cause: unknown): string => {
  const { kind, originalMessage } = failureOf(cause);
  if (originalMessage === undefined) return 'the server does not answer';
  return kind === 'AuthenticationFailed'
    ? `${originalMessage}; \`npm run nuqloud -- init\` makes the roles with the passwords in KEYS_DIR`
    : originalMessage;
};

const failureOf = (error: unknown): ConnectionFailure => {
  const { meta } = error as { meta?: { driverAdapterError?: { cause?: ConnectionFailure } } };
  return meta?.driverAdapterError?.cause ?? {};
};
