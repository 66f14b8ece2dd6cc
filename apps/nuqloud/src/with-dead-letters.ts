import { DeadLetterQueue } from '@nuqloud/messaging';
import { readPrivateKeys } from '@nuqloud/platform';
import { connectAsProvisioner, natsFailure } from './connect-as-provisioner';

/** Runs something on the dead letters of the installation. @throws AppError NATS.UNREACHABLE, NATS.STREAMS and what `use` throws */
export const withDeadLetters = async <T>(
  { NATS_URL, KEYS_DIR }: { readonly NATS_URL: string; readonly KEYS_DIR: string },
  use: (queue: DeadLetterQueue) => Promise<T>,
): Promise<T> => {
  const { natsSeed } = await readPrivateKeys(KEYS_DIR, 'provisioner');
  const connection = await connectAsProvisioner(NATS_URL, natsSeed);
  try {
    return await use(await DeadLetterQueue.open(connection));
  } catch (error) {
    throw natsFailure('The dead letters cannot be reached at NATS_URL', error);
  } finally {
    await connection.close();
  }
};
