import { ChatEvent } from '@nuqloud/contracts';
import type { ChatEventBody } from '@nuqloud/contracts';
import { BUS_ERRORS, BusError, newContext } from '@nuqloud/messaging';
import { isAppError } from '@nuqloud/platform';
import type { Bus } from '@nuqloud/messaging';
import { ChatLog, EventRefused } from '../ports/chat-log';
import type { Appended } from '../ports/chat-log';

/** Talk's sender waits for us: beyond this the event goes into the spool. */
const ACK_TIMEOUT_MS = 2_000;

/** The chat log on JetStream. */
export class BusChatLog extends ChatLog {
  constructor(private readonly bus: Bus) {
    super();
  }

  async append(event: ChatEventBody, messageId: string): Promise<Appended> {
    // A client without a server would keep it and wait; whoever wrote waits too.
    if (!this.bus.connected) throw new BusError(BUS_ERRORS.DISCONNECTED, 'NATS cannot be reached.');
    const { instance, room } = event;
    const context = newContext(Date.now() + ACK_TIMEOUT_MS);
    const options = { messageId, context, timeoutMs: ACK_TIMEOUT_MS };
    try {
      const { duplicate } = await this.bus.append(ChatEvent, { instance, room }, event, options);
      return { duplicate, correlationId: context.correlationId };
    } catch (error) {
      throw isOfTheEvent(error) ? new EventRefused(error.code, error.message, { cause: error }) : error;
    }
  }
}

/** No waiting makes it shorter, or its place another one. */
const isOfTheEvent = (error: unknown): error is BusError =>
  isAppError(error, BUS_ERRORS.TOO_LARGE) || isAppError(error, BUS_ERRORS.INVALID_SUBJECT);
