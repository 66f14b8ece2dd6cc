import type { CollectToolProvidersReply, CollectToolProvidersRequest } from '@nuqloud/contracts';

export interface ProviderAnswers {
  readonly answers: ReadonlyMap<string, CollectToolProvidersReply>;
  /** Expected, but not heard in time. */
  readonly silent: readonly string[];
  /** Codes of answers that could not be used. */
  readonly unusable: readonly string[];
}

export abstract class ToolProviders {
  /**
   * Asks everybody what they offer. Never waits longer than a second, and for nobody but the expected.
   * @param onLate an answer that came too late for this collection
   */
  abstract collect(
    instance: CollectToolProvidersRequest['instance'],
    expected: ReadonlySet<string>,
    onLate: (provider: string, reply: CollectToolProvidersReply) => void,
  ): Promise<ProviderAnswers>;
}
