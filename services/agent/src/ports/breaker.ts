/** Remembers for a short while, for all replicas, who is not worth asking. */
abstract class Breaker {
  /** Which of these not to ask. */
  abstract open(names: readonly string[]): Promise<ReadonlySet<string>>;
  abstract trip(name: string): Promise<void>;
  abstract reset(name: string): Promise<void>;
}

/** Tool providers that were silent. */
export abstract class ProviderBreaker extends Breaker {}

/** Model endpoints that were away. */
export abstract class ModelBreaker extends Breaker {}
