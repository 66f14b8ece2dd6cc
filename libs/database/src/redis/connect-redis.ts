import type { Logger } from '@nuqloud/platform';
import { createClient } from '@redis/client';
import type { RedisClientType } from '@redis/client';

/**
 * A Redis that may be away at any time, also now: what it holds may vanish. Calls fail at once while it is
 * (`isReady` tells), and the client reconnects by itself.
 */
export const connectRedis = (url: string, logger: Logger): RedisClientType => {
  const redis: RedisClientType = createClient({ url, disableOfflineQueue: true });
  redis.on('error', (error: unknown) =>
    logger.debug({ event: 'redis.unavailable', type: error instanceof Error ? error.name : typeof error }),
  );
  redis.connect().catch(() => logger.warn({ event: 'redis.unavailable' }));
  return redis;
};
