import { Inject, Injectable } from '@nestjs/common';
import type { RedisClientType } from '@nuqloud/database';
import { describeError, LOGGER } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import { ProviderBreaker } from '../ports/tool-providers';

/** Injection token of the Redis client. */
export const REDIS = Symbol('Redis');

const OPEN_S = 30;
const key = (provider: string): string => `nuqloud:breaker:tools:${provider}`;

/** Without Redis nobody is remembered as silent: a collection then waits its second, and nothing else changes. */
@Injectable()
export class RedisProviderBreaker extends ProviderBreaker {
  constructor(
    @Inject(REDIS) private readonly redis: RedisClientType,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  async open(providers: readonly string[]): Promise<ReadonlySet<string>> {
    if (providers.length === 0) return new Set();
    const values = await this.orElse(() => this.redis.mGet(providers.map(key)), []);
    return new Set(providers.filter((_provider, i) => values[i] != null));
  }

  async trip(provider: string): Promise<void> {
    await this.orElse(
      () => this.redis.set(key(provider), '1', { expiration: { type: 'EX', value: OPEN_S } }),
      null,
    );
  }

  async reset(provider: string): Promise<void> {
    await this.orElse(() => this.redis.del(key(provider)), 0);
  }

  private async orElse<T>(ask: () => Promise<T>, otherwise: T): Promise<T> {
    if (!this.redis.isReady) return otherwise;
    try {
      return await ask();
    } catch (error) {
      this.logger.warn({ event: 'breaker.unavailable', ...describeError(error) });
      return otherwise;
    }
  }
}
