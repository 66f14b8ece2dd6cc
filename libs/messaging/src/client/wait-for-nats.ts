import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import { ErrorCode } from 'nats';
import type { NatsConnection } from 'nats';
import { BUS_ERRORS, BusError } from '../errors';
import { connectToNats } from './connect';
import type { BusConnectionOptions } from './connect';

const RETRY_AFTER_MS = 250;
const REMINDER_MS = 10_000;

/** What no waiting mends, in words for whoever set it up. */
const permanentError = (code: string, service: string, cause: unknown): BusError | undefined => {
  switch (code as ErrorCode | 'ERR_INVALID_URL') {
    case ErrorCode.AuthorizationViolation:
      return new BusError(
        BUS_ERRORS.REFUSED,
        `The server at NATS_URL refuses the login of ${service}: the keys in KEYS_DIR and the server's configuration ` +
          'do not fit. It must run with the nats.conf that `npm run nuqloud -- keys init` wrote for these keys.',
        cause,
      );
    case 'ERR_INVALID_URL':
      return new BusError(
        BUS_ERRORS.INVALID_URL,
        'NATS_URL is no address of a nats-server: nats://host:port, several separated by commas.',
        cause,
      );
    default:
      return undefined;
  }
};

/**
 * Waits for a server that lets us in, and says so at once and then every 10 s.
 * @throws BusError REFUSED, INVALID_URL: waiting does not help
 */
export const waitForNats = async (
  options: BusConnectionOptions,
  logger: Logger | undefined,
): Promise<NatsConnection> => {
  let nextReminder = 0;
  for (;;) {
    try {
      return await connectToNats(options);
    } catch (cause) {
      const code = errorCode(cause);
      const permanent = permanentError(code, options.service, cause);
      if (permanent) throw permanent;
      if (Date.now() >= nextReminder) {
        logger?.warn({ event: 'bus.unreachable', code });
        nextReminder = Date.now() + REMINDER_MS;
      }
    }
    await sleep(RETRY_AFTER_MS);
  }
};
