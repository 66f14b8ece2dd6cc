import { Controller } from '@nestjs/common';
import { ReadHistory } from '@nuqloud/contracts';
import type { RoomHistoryPage } from '@nuqloud/contracts';
import { OnRequest } from '@nuqloud/messaging';
import { RoomHistories } from './room-histories';

/** Only talk-ingress may ask: it hears everything that is written in these rooms anyway. */
@Controller()
export class ReadHistoryController {
  constructor(private readonly histories: RoomHistories) {}

  @OnRequest(ReadHistory)
  read({
    instance,
    room,
    after,
  }: {
    instance: string;
    room: string;
    after: string;
  }): Promise<RoomHistoryPage> {
    return this.histories.read(instance, room, after);
  }
}
