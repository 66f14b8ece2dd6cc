import type { AuditRecordBody } from '@nuqloud/contracts';
import type { MessageContext } from '@nuqloud/messaging';

type WithoutStamp<T> = T extends unknown ? Omit<T, 'v' | 'id' | 'at' | 'service'> : never;

/** What happened here, without when and by whom it is recorded. */
export type AuditEntry = WithoutStamp<Extract<AuditRecordBody, { service: 'confirmation' }>>;

/** The record that nobody can change afterwards. */
export abstract class AuditLog {
  /**
   * Returns once all entries are stored for good. The same entry again is the same record.
   * @throws AppError, retryable, when that is not certain
   */
  abstract append(entries: readonly AuditEntry[], at: number, context: MessageContext): Promise<void>;
}
