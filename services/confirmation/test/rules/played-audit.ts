import type { MessageContext } from '@nuqloud/messaging';
import { AppError } from '@nuqloud/platform';
import type { AuditEntry } from '../../src/ports/audit-log';
import { AuditLog } from '../../src/ports/audit-log';

/** The audit of a play. */
export class PlayedAudit extends AuditLog {
  readonly entries: AuditEntry[] = [];
  down = false;

  override append(entries: readonly AuditEntry[], _at: number, _context: MessageContext): Promise<void> {
    if (this.down)
      return Promise.reject(new AppError('BUS.TIMEOUT', 'The stream is away.', { retryable: true }));
    this.entries.push(...entries);
    return Promise.resolve();
  }

  /** How often an answer or a claim was recorded. */
  count(matches: (entry: AuditEntry) => boolean): number {
    return this.entries.filter(matches).length;
  }
}
