import { createHmac } from 'node:crypto';
import { AuditRecord } from '@nuqloud/contracts';
import type { Bus, MessageContext } from '@nuqloud/messaging';
import { canonicalJson } from '@nuqloud/platform';
import type { AuditSigner } from '@nuqloud/platform';
import type { AuditEntry } from '../ports/audit-log';
import { AuditLog } from '../ports/audit-log';

/** Changes wait for their record within a transaction, so it must fail soon. */
const APPEND_MS = 2_000;

const SERVICE = 'confirmation';

export class BusAuditLog extends AuditLog {
  /** @param secret known to this service alone: nobody else can foretell an id, and have a record taken for a duplicate */
  constructor(
    private readonly bus: Bus,
    private readonly signer: AuditSigner,
    private readonly secret: string,
  ) {
    super();
  }

  override async append(entries: readonly AuditEntry[], at: number, context: MessageContext): Promise<void> {
    await Promise.all(
      entries.map((entry) => {
        const id = this.idOf(entry);
        const record = { v: 1, id, at: new Date(at).toISOString(), service: SERVICE, ...entry } as const;
        const options = { messageId: id, timeoutMs: APPEND_MS, context };
        return this.bus.append(AuditRecord, { service: SERVICE }, this.signer.sign(record), options);
      }),
    );
  }

  /** One id for one fact, in the form of a random UUID: a record that is written again is found to be the same. */
  private idOf(entry: AuditEntry): string {
    const bytes = createHmac('sha256', this.secret)
      .update(`audit ${canonicalJson(entry)}`)
      .digest();
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
    const hex = bytes.toString('hex', 0, 16);
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }
}
