import { randomUUID } from 'node:crypto';
import {
  ATTESTATION_AUDIENCE,
  ATTESTATION_TTL_S,
  ATTESTATION_TYPE,
  GATEWAY_AUDIENCE,
  SERVICE_TOKEN_TTL_S,
  SERVICE_TOKEN_TYPE,
} from '@nuqloud/contracts';
import type { AttestationClaims, ServiceTokenClaims } from '@nuqloud/contracts';
import { sha256 } from '@nuqloud/platform';
import type { TokenSigner } from '@nuqloud/platform';

/**
 * An attestation as talk-ingress signs it: alice wrote a message to the bot nuq.
 * @param over claims that differ
 * @param type the token's `typ`, to make one that is something else
 */
export const signAttestation = (
  signer: TokenSigner,
  over: Partial<AttestationClaims> = {},
  type: string = ATTESTATION_TYPE,
): Promise<string> => {
  const at = over.at ?? Date.now();
  const iat = Math.floor(at / 1000);
  return signer.sign(type, {
    aud: ATTESTATION_AUDIENCE,
    sub: 'users/alice',
    instance: 'default',
    bot: 'nuq',
    room: 'x7k2m9pq',
    message: '1567',
    kind: 'message',
    textHash: sha256('list my files'),
    at,
    iat,
    exp: iat + ATTESTATION_TTL_S,
    ...over,
  });
};

/**
 * A service token as a tool service signs it for one request to the gateway.
 * @param request `path` with its query
 * @param over claims that differ
 * @param type the token's `typ`, to make one that is something else
 */
export const signServiceToken = (
  signer: TokenSigner,
  request: { readonly method: string; readonly path: string },
  over: Partial<ServiceTokenClaims> = {},
  type: string = SERVICE_TOKEN_TYPE,
): Promise<string> => {
  const iat = Math.floor(Date.now() / 1000);
  return signer.sign(type, {
    aud: GATEWAY_AUDIENCE,
    jti: randomUUID(),
    iat,
    exp: iat + SERVICE_TOKEN_TTL_S,
    ...request,
    ...over,
  });
};
