import type { SpooledEvent } from '@nuqloud/contracts';
import { AppError } from '@nuqloud/platform';

export const SPOOL_ERRORS = {
  /** Its limit is reached, or the disk is full. */
  FULL: 'SPOOL.FULL',
  /** The folder cannot be used; the message names the variable. */
  UNUSABLE: 'SPOOL.UNUSABLE',
  /** A file in it is not what was written. */
  UNREADABLE: 'SPOOL.UNREADABLE',
} as const;

export class SpoolError extends AppError {}

export interface Spooled extends SpooledEvent {
  /** Names it in this spool. */
  readonly name: string;
}

/** Keeps events on this process's own disk, in the order in which they came, while the chat log is away. */
export abstract class Spool {
  /** How many events it holds, those included that are being written. */
  abstract readonly size: number;
  /** Whether it would take one more, as far as is known. */
  abstract readonly hasRoom: boolean;
  /**
   * Returns once the event survives a crash of the machine.
   * @throws SpoolError FULL, UNUSABLE: it is not kept
   */
  abstract keep(entry: SpooledEvent): Promise<void>;
  /** The one that came first. What cannot be read is set aside on the way. */
  abstract oldest(): Promise<Spooled | undefined>;
  /** It is stored elsewhere now. */
  abstract remove(name: string): Promise<void>;
  /** Nobody can ever take it: it is kept apart with the reason, and holds up nobody. */
  abstract setAside(name: string, reason: AppError): Promise<void>;
}
