import type { StreamDefinition } from '@nuqloud/contracts';
import { connectToNats, ensureStreams } from '@nuqloud/messaging';
import { AppError, errorCode } from '@nuqloud/platform';

/** What NATS answers, for the person who runs the server. */
const REASONS: Readonly<Record<string, string>> = {
  CONNECTION_REFUSED: 'no server answers there',
  TIMEOUT: 'no server answers there in time',
  AUTHORIZATION_VIOLATION:
    "the server does not know the provisioner's key; does it run with the nats.conf that `keys init` wrote to KEYS_DIR?",
  PERMISSIONS_VIOLATION:
    'the provisioner may not do this there; does the server run with the nats.conf that `keys init` wrote last to KEYS_DIR?',
  '503': 'JetStream is not switched on there',
};

/**
 * Makes the streams as the provisioner, the one user of the bus that may.
 * @throws AppError NATS.UNREACHABLE, NATS.STREAMS
 */
export const provisionStreams = async (
  url: string,
  natsSeed: string,
  streams: readonly StreamDefinition[],
): Promise<void> => {
  const connection = await connectToNats({ url, service: 'provisioner', natsSeed }).catch(
    (cause: unknown) => {
      throw new AppError('NATS.UNREACHABLE', `NATS_URL cannot be used: ${reason(cause)}.`, {
        retryable: true,
        cause,
      });
    },
  );
  try {
    await ensureStreams(connection, streams);
  } catch (cause) {
    throw new AppError('NATS.STREAMS', `The streams cannot be set up at NATS_URL: ${reason(cause)}.`, {
      cause,
    });
  } finally {
    await connection.close();
  }
};

const reason = (cause: unknown): string => REASONS[errorCode(cause)] ?? errorCode(cause);
