import { createHmac, timingSafeEqual } from 'node:crypto';

const RANDOM_LENGTH = 64;
const HEX_SHA256 = /^[0-9a-f]{64}$/i;

const hmac = (secret: string, random: string, signed: string | Uint8Array): Buffer =>
  createHmac('sha256', secret).update(random).update(signed).digest();

/** Whether Talk signed these bytes: HMAC-SHA256 over the random header and the raw body, compared in constant time. */
export const isSignedByTalk = (
  secret: string,
  signed: { random: string | undefined; signature: string | undefined; body: Uint8Array },
): boolean => {
  const { random, signature, body } = signed;
  if (random?.length !== RANDOM_LENGTH || signature === undefined || !HEX_SHA256.test(signature))
    return false;
  return timingSafeEqual(hmac(secret, random, body), Buffer.from(signature, 'hex'));
};

/**
 * Signature of a call to the bot API. Unlike the webhook's it covers one decoded value (the message or the
 * reaction), not the JSON around it.
 * @param random at least 32 characters, fresh for each call
 */
export const signBotCall = (secret: string, random: string, value: string): string =>
  hmac(secret, random, value).toString('hex');
