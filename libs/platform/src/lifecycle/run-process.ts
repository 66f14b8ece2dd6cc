import { describeError } from '../errors/describe-error';
import { AppError } from '../errors/app-error';
import type { Logger } from '../logging/logger';
import type { RunningService } from './running-service';

/** Longest a graceful stop may take before the process ends anyway. */
const STOP_TIMEOUT_MS = 30_000;

/**
 * Runs a service as this process: starts it, stops it on SIGTERM or SIGINT, and ends with
 * code 1 and a readable reason where the start fails. An error nobody caught is logged by
 * type and place and does not end the process: it belongs to one message.
 */
export const runProcess = async (logger: Logger, start: () => Promise<RunningService>): Promise<void> => {
  process.on('unhandledRejection', (error) =>
    logger.error({ event: 'process.unhandled', ...describeError(error) }),
  );
  process.on('uncaughtException', (error) =>
    logger.error({ event: 'process.uncaught', ...describeError(error) }),
  );
  let running: RunningService;
  try {
    running = await start();
  } catch (error) {
    logger.fatal({ event: 'process.start-failed', ...describeError(error), reason: reason(error) });
    process.exitCode = 1;
    setImmediate(() => process.exit(1));
    return;
  }
  logger.info({ event: 'process.ready' });
  const stop = (signal: string) => void stopOnce(logger, running, signal);
  process.once('SIGTERM', () => stop('SIGTERM'));
  process.once('SIGINT', () => stop('SIGINT'));
};

const stopOnce = async (logger: Logger, running: RunningService, signal: string): Promise<void> => {
  logger.info({ event: 'process.stopping', signal });
  const deadline = setTimeout(() => process.exit(1), STOP_TIMEOUT_MS);
  try {
    await running.close();
    process.exitCode = 0;
  } catch (error) {
    logger.error({ event: 'process.stop-failed', ...describeError(error) });
    process.exitCode = 1;
  }
  clearTimeout(deadline);
  process.exit();
};

/** Only our own errors are worded for people; others are told by type alone. */
const reason = (error: unknown): string => (error instanceof AppError ? error.message : 'unexpected error');
