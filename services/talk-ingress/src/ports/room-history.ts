import type { RoomHistoryPage } from '@nuqloud/contracts';

/** What was written in a room, as far as somebody may read it for us. */
export abstract class RoomHistory {
  /** @throws AppError; retryable where it may be read later */
  abstract after(instance: string, room: string, message: string): Promise<RoomHistoryPage>;
}
