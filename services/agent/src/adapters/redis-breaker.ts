import type { RedisClientType } from '@nuqloud/database';
import { describeError } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import type { ProviderBreaker } from '../ports/breaker';

/** Injection token of the Redis client. */
export const REDIS = Symbol('Redis');

/** Without Redis nobody is remembered: they are asked, and waited for, once more. */
export class RedisBreaker implements ProviderBreaker {
  /**
   * @param kind of those that are remembered, part of the key
   * @param seconds for which they are
   */
  constructor(
    private readonly redis: RedisClientType,
    private readonly logger: Logger,
    private readonly kind: string,
    private readonly seconds: number,
  ) {}

  async open(names: readonly string[]): Promise<ReadonlySet<string>> {
    if (names.length === 0) return new Set();
    const values = await this.orElse(() => this.redis.mGet(names.map((name) => this.key(name))), []);
    return new Set(names.filter((_name, i) => values[i] != null));
  }

  async trip(name: string): Promise<void> {
    await this.orElse(
      () => this.redis.set(this.key(name), '1', { expiration: { type: 'EX', value: this.seconds } }),
      null,
    );
  }

  async reset(name: string): Promise<void> {
    await this.orElse(() => this.redis.del(this.key(name)), 0);
  }

  private key(name: string): string {
    return `nuqloud:breaker:${this.kind}:${name}`;
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
