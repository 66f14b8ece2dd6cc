import { connectToNats } from '@nuqloud/messaging';
import { AppError } from '@nuqloud/platform';
import { natsReason } from './nats-reason';

const PROVISIONER = 'provisioner';

type Connection = Awaited<ReturnType<typeof connectToNats>>;

/** The one user of the bus that may make, read and fill streams. @throws AppError NATS.UNREACHABLE */
export const connectAsProvisioner = async (url: string, natsSeed: string): Promise<Connection> => {
  try {
    return await connectToNats({ url, service: PROVISIONER, natsSeed });
  } catch (cause) {
    throw new AppError('NATS.UNREACHABLE', `NATS_URL cannot be used: ${natsReason(cause, PROVISIONER)}.`, {
      retryable: true,
      cause,
    });
  }
};

/** A refusal of NATS in words; what is worded already stays as it is. */
export const natsFailure = (what: string, cause: unknown): AppError =>
  cause instanceof AppError
    ? cause
    : new AppError('NATS.STREAMS', `${what}: ${natsReason(cause, PROVISIONER)}.`, { cause });
