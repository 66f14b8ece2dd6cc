import { ChatEvent } from '@nuqloud/contracts';
import type { ChatEventBody } from '@nuqloud/contracts';
import { newContext } from '@nuqloud/messaging';
import type { Bus } from '@nuqloud/messaging';
import { ChatLog } from '../ports/chat-log';
import type { Appended } from '../ports/chat-log';

/** Talk's sender waits for us: beyond this it is told that the message was not taken. */
const ACK_TIMEOUT_MS = 2_000;

/** The chat log on JetStream. */
export class BusChatLog extends ChatLog {
  constructor(private readonly bus: Bus) {
    super();
  }

  async append(event: ChatEventBody, messageId: string): Promise<Appended> {
    const { instance, room } = event;
    const context = newContext(Date.now() + ACK_TIMEOUT_MS);
    const options = { messageId, context, timeoutMs: ACK_TIMEOUT_MS };
    const { duplicate } = await this.bus.append(ChatEvent, { instance, room }, event, options);
    return { duplicate, correlationId: context.correlationId };
  }
}
