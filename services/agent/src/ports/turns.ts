import type { TurnStep } from '@nuqloud/contracts';
import { AppError } from '@nuqloud/platform';
import type { StoredEntry } from '../domain/memory';
import type { ReceiptChanges } from './receipts';
import type { InboxItem, Lease } from './rooms';

export interface Turn {
  readonly id: string;
  readonly startedAt: Date;
  readonly deadlineAt: Date;
  /** How often it was opened, this time included. */
  readonly tries: number;
  /** What was recorded before a crash; the last one may have no result. Undefined when it cannot be read any more. */
  readonly steps: readonly TurnStep[] | undefined;
}

export interface EndedTurn {
  readonly id: string;
  readonly inboxId: bigint;
  readonly outcome: 'answered' | 'failed';
  /** `<type>/<id>` of whose turn it was. */
  readonly person: string;
}

/** Where a conversation lives, and whose part of it is meant. */
export interface ConversationKey {
  readonly instance: string;
  readonly bot: string;
  readonly room: string;
  readonly thread: string | undefined;
}

/** Entries to be remembered of a finished turn. */
export interface NewEntry extends StoredEntry {
  /** `<type>/<id>` of the person it belongs to. */
  readonly person: string;
}

/** Another worker has taken the room over; whatever this one still wanted to write is void. */
export class LeaseLost extends AppError {
  constructor() {
    super('AGENT.LEASE_LOST', 'Another worker has taken this room over.');
  }
}

/** Every write is conditional on the lease; a worker that lost it changes nothing and learns so by `LeaseLost`. */
export abstract class Turns {
  /** Begins the turn of an inbox item, or finds the one that a crash interrupted. */
  abstract open(
    lease: Lease,
    key: ConversationKey,
    item: InboxItem,
    limits: { now: Date; maxMs: number; id: string },
  ): Promise<Turn>;
  /** Writes steps by their position: before they are acted on without a result, afterwards with it. */
  abstract record(lease: Lease, turnId: string, steps: ReadonlyMap<number, TurnStep>): Promise<void>;
  /** Throws LeaseLost when the room is another's by now; before something that cannot be taken back. */
  abstract hold(lease: Lease): Promise<void>;
  /** Ends turn and inbox item and remembers what was said and done, in one transaction. */
  abstract end(
    lease: Lease,
    turn: EndedTurn,
    key: ConversationKey,
    entries: readonly NewEntry[],
    receipts: ReceiptChanges,
  ): Promise<void>;
  /** Whether a turn of this inbox item was begun before: after a crash it goes on. */
  abstract begun(inboxId: bigint): Promise<boolean>;
}

export abstract class Conversations {
  /** Forgets what is older, for everybody, and the turns of that time. @returns entries forgotten */
  abstract forgetBefore(time: Date): Promise<number>;
  /** Newest first: what was said by anybody, and the tool results of this person only. */
  abstract recent(key: ConversationKey, person: string, limit: number): Promise<StoredEntry[]>;
  /** Forgets one person's part (what they said, what they were answered, their tool results) or the room's whole conversation. */
  abstract forget(
    lease: Lease,
    key: Omit<ConversationKey, 'thread'>,
    whose: { person: string } | 'everybody',
  ): Promise<void>;
}
