/** Up to where a bot knows the messages of a room. */
export interface KnownUpTo {
  readonly instance: string;
  readonly bot: string;
  readonly room: string;
  /** Id of the latest message. */
  readonly message: bigint;
}

/** Where that is kept, for all replicas together. */
export abstract class KnownMessages {
  abstract all(): Promise<KnownUpTo[]>;
  /** A mark never goes back. */
  abstract raise(marks: readonly KnownUpTo[]): Promise<void>;
  /** The bot was taken out of the room: what is written there is none of its business. */
  abstract forget(place: Omit<KnownUpTo, 'message'>): Promise<void>;
}
