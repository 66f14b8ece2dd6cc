import type { LoggerService } from '@nestjs/common';
import type { Logger } from './logger';

/** Lets Nest's own start-up lines and errors go through the service's logger. */
export const nestLogger = (logger: Logger): LoggerService => ({
  log: (_line: unknown, ...rest: unknown[]) => logger.debug({ event: 'nest', context: context(rest) }),
  warn: (_line: unknown, ...rest: unknown[]) =>
    logger.warn({ event: 'nest.warning', context: context(rest) }),
  error: (line: unknown, ...rest: unknown[]) =>
    logger.error({
      event: 'nest.error',
      type: line instanceof Error ? line.name : typeof line,
      context: context(rest),
    }),
  fatal: (line: unknown, ...rest: unknown[]) =>
    logger.fatal({
      event: 'nest.error',
      type: line instanceof Error ? line.name : typeof line,
      context: context(rest),
    }),
});

const context = (rest: unknown[]): string | undefined => {
  const last = rest.at(-1);
  return typeof last === 'string' ? last : undefined;
};
