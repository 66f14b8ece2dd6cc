import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { AppError } from '../errors/app-error';

/** A sealed value that cannot be opened here; says why, never what it holds. */
export class UnreadableSecret extends AppError {
  constructor(reason: string) {
    super('SECRETS.UNREADABLE', `A stored secret cannot be opened: ${reason}.`);
  }
}

const VERSION = 'v1';
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
/** The nonce length GCM is made for; random ones are safe far beyond the number of secrets anybody stores. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a secret for the database (AES-256-GCM): `v1.<key id>.<base64url of nonce, ciphertext and tag>`.
 * @param key ENCRYPTION_KEY: 32 bytes in base64
 * @param context where the value is stored, e.g. `ingress_bots/nuq`; it opens only under the same, so that
 *   whoever can write rows cannot move a secret to another one
 */
export const sealSecret = (key: string, plain: string, context: string): string => {
  const bytes = keyBytes(key);
  const header = `${VERSION}.${keyId(bytes)}`;
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, bytes, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(authenticated(header, context));
  const body = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${header}.${body.toString('base64url')}`;
};

/** @throws UnreadableSecret for another key, another context, another version or a damaged value */
export const openSecret = (key: string, sealed: string, context: string): string => {
  const bytes = keyBytes(key);
  const [version, id, encoded, ...rest] = sealed.split('.');
  if (version !== VERSION || id === undefined || encoded === undefined || rest.length > 0) {
    throw new UnreadableSecret('it is not in a format that this version knows');
  }
  if (id !== keyId(bytes)) throw new UnreadableSecret('it was sealed with another ENCRYPTION_KEY');
  const body = Buffer.from(encoded, 'base64url');
  // Base64 has more than one spelling of the same bytes; we accept the one that we write.
  if (body.length < NONCE_BYTES + TAG_BYTES || body.toString('base64url') !== encoded) throw damaged();
  const decipher = createDecipheriv(CIPHER, bytes, body.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(authenticated(`${version}.${id}`, context));
  decipher.setAuthTag(body.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([
      decipher.update(body.subarray(NONCE_BYTES, -TAG_BYTES)),
      decipher.final(),
    ]).toString('utf8');
  } catch {
    throw damaged(); // OpenSSL tells no more than this, and its words help nobody
  }
};

const damaged = (): UnreadableSecret =>
  new UnreadableSecret('it was changed, or belongs to another row, since it was stored');

const authenticated = (header: string, context: string): Buffer => Buffer.from(`${header} ${context}`);

const keyBytes = (key: string): Buffer => {
  const bytes = Buffer.from(key, 'base64');
  if (bytes.length === KEY_BYTES) return bytes;
  throw new AppError('SECRETS.KEY', 'ENCRYPTION_KEY must be 32 bytes in base64 (openssl rand -base64 32).');
};

/** Names the key without helping anybody to guess it. */
const keyId = (key: Buffer): string =>
  createHmac('sha256', key).update('nuqloud key id').digest('base64url').slice(0, 8);
