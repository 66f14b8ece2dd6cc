import { createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { AppError } from '@nuqloud/platform';

/** PostgreSQL's default, RFC 5802's minimum. */
const ITERATIONS = 4096;
const SALT_BYTES = 16;
const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;

/**
 * What PostgreSQL stores for a SCRAM-SHA-256 password. Sending this instead of the password keeps it out of
 * the server's statement log, and makes it SCRAM whatever `password_encryption` says.
 * @throws AppError DATABASE.PASSWORD for a password that would have to be normalised first (RFC 4013)
 */
export const scramVerifier = async (
  password: string,
  salt: Buffer = randomBytes(SALT_BYTES),
): Promise<string> => {
  if (!PRINTABLE_ASCII.test(password)) {
    throw new AppError(
      'DATABASE.PASSWORD',
      'A database password must consist of printable ASCII characters.',
    );
  }
  const salted = await promisify(pbkdf2)(password, salt, ITERATIONS, 32, 'sha256');
  const storedKey = createHash('sha256').update(hmac(salted, 'Client Key')).digest('base64');
  const serverKey = hmac(salted, 'Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
};

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
