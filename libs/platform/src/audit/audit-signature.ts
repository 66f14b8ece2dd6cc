import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { PublicKeyFile, SigningKey } from '@nuqloud/contracts';
import { AUDIT_SIGNATURE_PREFIX, AuditRecordBody, SignedAuditRecord } from '@nuqloud/contracts';
import { canonicalJson, NotCanonical } from '../canonical/canonical-json';

/** Puts a service's name to what it records. */
export class AuditSigner {
  private readonly key: KeyObject;

  constructor(private readonly signingKey: SigningKey) {
    this.key = createPrivateKey({ key: signingKey, format: 'jwk' });
  }

  /**
   * @param record whose `service` is the owner of the key: readers drop any other
   * @throws ZodError, NotCanonical for what no reader would take for a record
   */
  sign(record: AuditRecordBody): SignedAuditRecord {
    // Exactly what a reader keeps of it; members that are not part of a record would spoil the signature.
    const kept = AuditRecordBody.parse(record);
    const signature = sign(null, signedBytes(kept), this.key).toString('base64url');
    return { v: 1, record: kept, kid: this.signingKey.kid, signature };
  }
}

/** Tells what the services recorded from everything else that got into the stream. */
export class AuditVerifier {
  constructor(private readonly publicKeys: PublicKeyFile) {}

  /**
   * @param body a message of the stream, as JSON has it
   * @returns undefined for what the named service has not recorded. A record that was read before, by its id, is to be
   *   dropped by the reader.
   */
  genuine(body: unknown): AuditRecordBody | undefined {
    const parsed = SignedAuditRecord.safeParse(body);
    return parsed.success && this.isSigned(parsed.data) ? parsed.data.record : undefined;
  }

  private isSigned({ record, kid, signature }: SignedAuditRecord): boolean {
    const keys = this.publicKeys.services[record.service]?.signing ?? [];
    const key = keys.find((candidate) => candidate.kid === kid);
    if (!key) return false;
    try {
      const publicKey = createPublicKey({ key, format: 'jwk' });
      return verify(null, signedBytes(record), publicKey, Buffer.from(signature, 'base64url'));
    } catch (error) {
      // Nobody can have signed it.
      if (error instanceof NotCanonical) return false;
      throw error;
    }
  }
}

const signedBytes = (record: AuditRecordBody): Buffer =>
  Buffer.from(AUDIT_SIGNATURE_PREFIX + canonicalJson(record), 'utf8');
