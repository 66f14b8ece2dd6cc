import type { ChatEventBody } from '@nuqloud/contracts';

export interface RoomKey {
  readonly instance: string;
  readonly room: string;
}

/** The right to write in a room's name, until somebody else takes it over with a higher epoch. */
export interface Lease extends RoomKey {
  readonly epoch: bigint;
}

export interface InboxItem {
  readonly id: bigint;
  readonly correlationId: string;
  readonly receivedAt: Date;
  /** Undefined when what is stored cannot be read any more. */
  readonly event: ChatEventBody | undefined;
}

/** Chat events taken from the stream, until they are dealt with. */
export abstract class Inbox {
  /** Stores an event once; false when it was known already. */
  abstract add(event: ChatEventBody, dedupeKey: string, correlationId: string): Promise<boolean>;
  /** The oldest event of the room that nobody has dealt with. */
  abstract next(room: RoomKey): Promise<InboxItem | undefined>;
  /** Ends an event that needs no turn; its text goes at once. */
  abstract ignore(lease: Lease, id: bigint): Promise<void>;
  /** Rooms with events and without a living worker. */
  abstract waitingRooms(limit: number): Promise<RoomKey[]>;
}

/** One worker per room, across all replicas. */
export abstract class RoomLeases {
  /** Undefined while another worker holds the room. */
  abstract acquire(room: RoomKey, ttlMs: number): Promise<Lease | undefined>;
  /** False when the lease was lost. */
  abstract renew(lease: Lease, ttlMs: number): Promise<boolean>;
  abstract release(lease: Lease): Promise<void>;
}
