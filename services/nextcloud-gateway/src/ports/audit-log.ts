import type { AuditRecordBody } from '@nuqloud/contracts';

/** Where everything is recorded that is changed in Nextcloud. */
export abstract class AuditLog {
  /**
   * Returns once the record is stored for good.
   * @throws AppError when that is not certain
   */
  abstract append(record: AuditRecordBody): Promise<void>;
}
