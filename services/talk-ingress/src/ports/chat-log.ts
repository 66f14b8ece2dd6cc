import type { ChatEventBody } from '@nuqloud/contracts';
import { AppError } from '@nuqloud/platform';

export interface Appended {
  readonly duplicate: boolean;
  /** Names everything that this event sets in motion, in the logs of all services. */
  readonly correlationId: string;
}

/** The log can never take this event, whenever it is offered. */
export class EventRefused extends AppError {}

/** The durable log of everything that Talk told. */
export abstract class ChatLog {
  /**
   * Returns once the event is stored for good. An id that is known already is not stored again.
   * @throws EventRefused; any other AppError when it is not certain that it is stored
   */
  abstract append(event: ChatEventBody, messageId: string): Promise<Appended>;
}
