import { createHmac, randomBytes } from 'node:crypto';

/** Lower-case hex HMAC-SHA256 over random and text, one after the other; the key is the secret's own bytes. */
export function talkSignature(secret: string, random: string, text: string | Buffer): string {
  return createHmac('sha256', secret).update(random).update(text).digest('hex');
}

/** 64 characters of `A-Z a-z 0-9 + /`, Talk's random for one delivery. */
export function webhookRandom(): string {
  return randomBytes(48).toString('base64');
}

/** The headers of one delivery. `backend` is the instance's base URL with exactly one slash at its end. */
export function webhookHeaders(
  secret: string,
  backend: string,
  random: string,
  body: Buffer,
): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'X-Nextcloud-Talk-Random': random,
    'X-Nextcloud-Talk-Signature': talkSignature(secret, random, body),
    'X-Nextcloud-Talk-Backend': backend,
    'OCS-APIRequest': 'true',
    'User-Agent': 'Nextcloud-Server-Crawler/1.0',
    'Accept-Encoding': 'gzip',
  };
}
