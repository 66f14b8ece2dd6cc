import { openSecret, sealSecret, UnreadableSecret } from './sealed-secret';

/** Encrypts the secrets of one table for the database. Each opens only in its own row. */
export class RowSecrets {
  /** @param encryptionKey 32 bytes in base64 */
  constructor(
    private readonly encryptionKey: string,
    private readonly table: string,
  ) {}

  seal(row: string, secret: string): string {
    return sealSecret(this.encryptionKey, secret, this.contextOf(row));
  }

  /** @throws UnreadableSecret */
  open(row: string, sealed: string): string {
    return openSecret(this.encryptionKey, sealed, this.contextOf(row));
  }

  /**
   * Sealing gives another text each time, so `stored` itself is given back while it holds this secret.
   * One that was sealed with a former key is replaced: whoever asks has the secret, so nothing is lost.
   */
  keepOrSeal(row: string, secret: string, stored: string | null | undefined): string {
    return typeof stored === 'string' && this.holds(row, stored, secret) ? stored : this.seal(row, secret);
  }

  private holds(row: string, sealed: string, secret: string): boolean {
    try {
      return this.open(row, sealed) === secret;
    } catch (error) {
      if (error instanceof UnreadableSecret) return false;
      throw error;
    }
  }

  private contextOf(row: string): string {
    return `${this.table}/${row}`;
  }
}
