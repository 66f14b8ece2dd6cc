import type { StreamDefinition } from '@nuqloud/contracts';
import { ensureStreams } from '@nuqloud/messaging';
import { connectAsProvisioner, natsFailure } from './connect-as-provisioner';

/** Makes the streams. @throws AppError NATS.UNREACHABLE, NATS.STREAMS */
export const provisionStreams = async (
  url: string,
  natsSeed: string,
  streams: readonly StreamDefinition[],
): Promise<void> => {
  const connection = await connectAsProvisioner(url, natsSeed);
  try {
    await ensureStreams(connection, streams);
  } catch (error) {
    throw natsFailure('The streams cannot be set up at NATS_URL', error);
  } finally {
    await connection.close();
  }
};
