import { createHash } from 'node:crypto';
import { ATTESTATION_AUDIENCE, ATTESTATION_TYPE, ATTESTATION_TTL_S } from '@nuqloud/contracts';
import type { AttestationClaims, ExecuteToolRequest, SigningKey } from '@nuqloud/contracts';
import { TokenSigner } from '@nuqloud/platform';

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** What talk-ingress would have signed for a message of alice. */
export const attest = (
  key: SigningKey,
  text: string,
  over: Partial<AttestationClaims> & { type?: string; issuer?: string } = {},
): Promise<string> => {
  const { type = ATTESTATION_TYPE, issuer = 'talk-ingress', ...claims } = over;
  const at = Date.now();
  const iat = Math.floor(at / 1000);
  return new TokenSigner(issuer, key).sign(type, {
    aud: ATTESTATION_AUDIENCE,
    sub: 'users/alice',
    instance: 'main',
    bot: 'nuq',
    room: 'x7k2m9pq',
    message: '4711',
    kind: 'message',
    textHash: sha256(text),
    at,
    iat,
    exp: iat + ATTESTATION_TTL_S,
    ...claims,
  });
};

export const callOf = (
  attestation: string,
  text: string,
  over: Partial<ExecuteToolRequest> = {},
): ExecuteToolRequest => ({
  v: 1,
  callId: 'call-1',
  tool: 'notes_find',
  arguments: { query: 'x' },
  context: {
    instance: 'main',
    bot: 'nuq',
    room: 'x7k2m9pq',
    messageId: '4711',
    attachments: [],
    language: 'en',
    zone: 'Europe/Berlin',
  },
  attestation,
  text,
  ...over,
});
