import type { ChatEventBody } from '@nuqloud/contracts';

/** The durable log of everything that Talk told. */
export abstract class ChatLog {
  /**
   * Returns once the event is stored for good. An id that is known already is not stored again.
   * @throws AppError when that is not certain
   */
  abstract append(event: ChatEventBody, messageId: string): Promise<{ duplicate: boolean }>;
}
