import { ReadHistory } from '@nuqloud/contracts';
import type { RoomHistoryPage } from '@nuqloud/contracts';
import type { Bus } from '@nuqloud/messaging';
import { RoomHistory } from '../ports/room-history';

export class BusRoomHistory extends RoomHistory {
  constructor(private readonly bus: Bus) {
    super();
  }

  after(instance: string, room: string, message: string): Promise<RoomHistoryPage> {
    return this.bus.request(ReadHistory, {}, { v: 1, instance, room, after: message });
  }
}
