import { AuditRecord } from '@nuqloud/contracts';
import type { AuditRecordBody } from '@nuqloud/contracts';
import type { Bus } from '@nuqloud/messaging';
import type { AuditSigner } from '@nuqloud/platform';
import { AuditLog } from '../ports/audit-log';

/** A person waits for what is to be recorded. */
const PATIENCE_MS = 2_000;

/** The audit on JetStream, on this service's own subject. */
export class BusAuditLog extends AuditLog {
  constructor(
    private readonly bus: Pick<Bus, 'append' | 'service'>,
    private readonly signer: AuditSigner,
  ) {
    super();
  }

  override async append(record: AuditRecordBody): Promise<void> {
    const options = { messageId: record.id, timeoutMs: PATIENCE_MS };
    const params = { service: this.bus.service };
    await this.bus.append(AuditRecord, params, this.signer.sign(record), options);
  }
}
