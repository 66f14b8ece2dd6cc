import { connectToNats } from '@nuqloud/messaging';
import { AppError, errorCode } from '@nuqloud/platform';

/** What NATS answers, for the person who runs the server. */
const REASONS: Readonly<Record<string, string>> = {
  CONNECTION_REFUSED: 'no server answers there',
  TIMEOUT: 'no server answers there in time',
  AUTHORIZATION_VIOLATION:
    "the server does not know the provisioner's key; does it run with the nats.conf that `keys init` wrote to KEYS_DIR?",
  PERMISSIONS_VIOLATION:
    'the provisioner may not do this there; does the server run with the nats.conf that `keys init` wrote last to KEYS_DIR?',
  '404': 'a stream is missing there; `npm run nuqloud -- init` makes it',
  '503': 'JetStream is not switched on there',
};

type Connection = Awaited<ReturnType<typeof connectToNats>>;

/** The one user of the bus that may make, read and fill streams. @throws AppError NATS.UNREACHABLE */
export const connectAsProvisioner = async (url: string, natsSeed: string): Promise<Connection> => {
  try {
    return await connectToNats({ url, service: 'provisioner', natsSeed });
  } catch (cause) {
    throw new AppError('NATS.UNREACHABLE', `NATS_URL cannot be used: ${reason(cause)}.`, {
      retryable: true,
      cause,
    });
  }
};

/** A refusal of NATS in words; what is worded already stays as it is. */
export const natsFailure = (what: string, cause: unknown): AppError =>
  cause instanceof AppError ? cause : new AppError('NATS.STREAMS', `${what}: ${reason(cause)}.`, { cause });

const reason = (cause: unknown): string => REASONS[errorCode(cause)] ?? errorCode(cause);
