import { Environment } from '@nuqloud/contracts';
import { pino } from 'pino';
import type { DestinationStream, Logger as PinoLogger } from 'pino';

export type Logger = PinoLogger;

/** Field names whose values never reach a log line, at any of the first levels of nesting. */
const SECRET_FIELDS = [
  'authorization',
  'password',
  'secret',
  'token',
  'attestation',
  'apiKey',
  'appPassword',
  'talkSecret',
  'cookie',
  'text',
  'content',
  'body',
  'message',
];

const redactPaths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);

/**
 * Structured logs with ids, numbers and names of tools. Errors are logged by code and
 * stack-free type: their messages and causes may quote what somebody wrote.
 */
export const createLogger = (
  options: { service: string; level: string },
  destination?: DestinationStream,
): Logger =>
  pino(
    {
      base: { service: options.service },
      level: options.level,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: redactPaths, censor: '[redacted]' },
    },
    destination,
  );

/** The logger of a whole process, there before its configuration is parsed: a wrong LOG_LEVEL is reported by the parser, in words. */
export const createProcessLogger = (
  service: string,
  env: Readonly<Record<string, string | undefined>>,
): Logger => {
  const level = Environment.shape.LOG_LEVEL.safeParse(env.LOG_LEVEL === '' ? undefined : env.LOG_LEVEL);
  return createLogger({ service, level: level.data ?? 'info' });
};
