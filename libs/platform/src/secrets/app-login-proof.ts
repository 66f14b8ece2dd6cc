import { createHmac, timingSafeEqual } from 'node:crypto';
import { APP_LOGIN_PROOF_PREFIX } from '@nuqloud/contracts';

/** Shows that one has an AppAPI secret without showing it (AppLogin.proof). @param nonce fresh for each proof */
export const appLoginProof = (secret: string, nonce: string): string =>
  createHmac('sha256', Buffer.from(nonce, 'base64url'))
    .update(APP_LOGIN_PROOF_PREFIX)
    .update(secret)
    .digest('base64url');

/** Whether a proof was made with this secret, compared in constant time. */
export const provesAppLogin = (secret: string, nonce: string, proof: string): boolean => {
  const [right, given] = [appLoginProof(secret, nonce), proof].map((text) => Buffer.from(text, 'base64url'));
  return right !== undefined && given?.length === right.length && timingSafeEqual(given, right);
};
