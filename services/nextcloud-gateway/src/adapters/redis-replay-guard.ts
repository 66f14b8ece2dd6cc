import { AppError, describeError } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import { ReplayGuard } from '../ports/replay-guard';

/** The one command needed of a Redis client. */
export interface TokenMemory {
  set(
    key: string,
    value: string,
    options: { condition: 'NX'; expiration: { type: 'EX'; value: number } },
  ): Promise<string | null>;
}

const PATIENCE_MS = 500;

/**
 * One `SET NX` per token, so that no two replicas take the same one. While Redis is away this check alone is
 * left out, with a line in the log: a token is bound to one method and path, lives 60 s and is signed by a
 * service that could sign a second one, so a replay repeats at most a request that was allowed.
 */
export class RedisReplayGuard extends ReplayGuard {
  constructor(
    private readonly redis: TokenMemory,
    private readonly logger: Logger,
    private readonly now: () => number = Date.now,
  ) {
    super();
  }

  override async isFirstUse(token: { issuer: string; id: string }, expires: number): Promise<boolean> {
    const seconds = Math.max(1, Math.ceil(expires - this.now() / 1000) + 1);
    try {
      const stored = await inTime(
        this.redis.set(`gateway:token:${token.issuer}:${token.id}`, '1', {
          condition: 'NX',
          expiration: { type: 'EX', value: seconds },
        }),
      );
      return stored !== null;
    } catch (error) {
      this.logger.warn({
        event: 'gateway.replay-check-left-out',
        service: token.issuer,
        ...describeError(error),
      });
      return true;
    }
  }
}

/** A Redis that hangs must not hold up every request. */
const inTime = <T>(answer: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new AppError('REDIS.TIMEOUT', 'Redis did not answer in time.', { retryable: true })),
      PATIENCE_MS,
    );
    answer.then(resolve, reject).finally(() => clearTimeout(late));
  });
