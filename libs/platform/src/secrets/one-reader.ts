import { CompactEncrypt, compactDecrypt, exportJWK, generateKeyPair, importJWK } from 'jose';
import type { CryptoKey } from 'jose';
import { UnreadableSecret } from './sealed-secret';

const AGREEMENT = 'ECDH-ES';
const CIPHER = 'A256GCM';
const CURVE = 'X25519';

/** Encrypts a secret so that it can travel (JWE). @param readerKey `OneReader.publicKey` of who is to read it */
export const sealForReader = async (readerKey: string, secret: string): Promise<string> =>
  new CompactEncrypt(Buffer.from(secret, 'utf8'))
    .setProtectedHeader({ alg: AGREEMENT, enc: CIPHER })
    .encrypt(await importJWK({ kty: 'OKP', crv: CURVE, x: readerKey }, AGREEMENT));

/** A key pair for one question whose answer is a secret; nobody but who asked opens the answer. */
export class OneReader {
  private constructor(
    /** The public half: 32 bytes, base64url. */
    readonly publicKey: string,
    private readonly privateKey: CryptoKey,
  ) {}

  static async make(): Promise<OneReader> {
    const { publicKey, privateKey } = await generateKeyPair(AGREEMENT, { crv: CURVE });
    const { x = '' } = await exportJWK(publicKey);
    return new OneReader(x, privateKey);
  }

  /** @throws UnreadableSecret for what was sealed for somebody else, or changed since */
  async open(sealed: string): Promise<string> {
    try {
      const accepted = { keyManagementAlgorithms: [AGREEMENT], contentEncryptionAlgorithms: [CIPHER] };
      const { plaintext } = await compactDecrypt(sealed, this.privateKey, accepted);
      return Buffer.from(plaintext).toString('utf8');
    } catch {
      throw new UnreadableSecret('it was not sealed for this question'); // the library's words say no more
    }
  }
}
