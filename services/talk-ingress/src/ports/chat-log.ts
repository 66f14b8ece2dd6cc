import type { ChatEventBody } from '@nuqloud/contracts';

export interface Appended {
  readonly duplicate: boolean;
  /** Names everything that this event sets in motion, in the logs of all services. */
  readonly correlationId: string;
}

/** The durable log of everything that Talk told. */
export abstract class ChatLog {
  /**
   * Returns once the event is stored for good. An id that is known already is not stored again.
   * @throws AppError when that is not certain
   */
  abstract append(event: ChatEventBody, messageId: string): Promise<Appended>;
}
