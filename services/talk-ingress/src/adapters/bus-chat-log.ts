import { ChatEvent } from '@nuqloud/contracts';
import type { ChatEventBody } from '@nuqloud/contracts';
import type { Bus } from '@nuqloud/messaging';
import { ChatLog } from '../ports/chat-log';

/** Talk's sender waits for us: beyond this it is told that the message was not taken. */
const ACK_TIMEOUT_MS = 2_000;

/** The chat log on JetStream. */
export class BusChatLog extends ChatLog {
  constructor(private readonly bus: Bus) {
    super();
  }

  append(event: ChatEventBody, messageId: string): Promise<{ duplicate: boolean }> {
    const { instance, room } = event;
    return this.bus.append(ChatEvent, { instance, room }, event, { messageId, timeoutMs: ACK_TIMEOUT_MS });
  }
}
