import { AppError, errorCode } from '@nuqloud/platform';
import { createClient } from '@redis/client';

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Asks Redis once whether it is there.
 * @throws AppError REDIS.UNREACHABLE
 */
export const pingRedis = async (url: string): Promise<void> => {
  const redis = createClient({
    url,
    socket: { reconnectStrategy: false, connectTimeout: CONNECT_TIMEOUT_MS },
  });
  // Told by the call as well; unheard, this event would end the process.
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    await redis.ping();
  } catch (cause) {
    throw new AppError('REDIS.UNREACHABLE', `REDIS_URL cannot be used: ${errorCode(cause)}.`, {
      retryable: true,
      cause,
    });
  } finally {
    if (redis.isOpen) redis.destroy();
  }
};
