import { Controller } from '@nestjs/common';
import { ChatEvent } from '@nuqloud/contracts';
import type { ChatEventBody } from '@nuqloud/contracts';
import { refusesData } from '@nuqloud/database';
import { OnStream } from '@nuqloud/messaging';
import type { StreamContext } from '@nuqloud/messaging';
import { AppError } from '@nuqloud/platform';
import { Inbox } from '../ports/rooms';
import { RoomDispatcher } from '../work-rooms/room-dispatcher';
import { inboxKey } from './inbox-key';

/** Takes chat events out of the stream into the inbox, in order; the work itself starts from there. */
@Controller()
export class ReceiveChatHandler {
  constructor(
    private readonly inbox: Inbox,
    private readonly rooms: RoomDispatcher,
  ) {}

  @OnStream(ChatEvent)
  async receive(event: ChatEventBody, { correlationId }: StreamContext): Promise<void> {
    const key = inboxKey(event);
    if (key === undefined) return;
    const stored = this.inbox.add(event, key, correlationId);
    this.rooms.nudge(event, stored);
    try {
      await stored;
    } catch (cause) {
      // A store that is away is waited for without end; an event that it refuses must not hold up all others.
      if (refusesData(cause))
        throw new AppError('AGENT.EVENT_REFUSED', 'The inbox cannot hold this event.', { cause });
      throw new AppError('AGENT.STORE_UNAVAILABLE', 'The inbox cannot be written at the moment.', {
        retryable: true,
        cause,
      });
    }
  }
}
