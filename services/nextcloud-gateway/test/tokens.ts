import { createHash, randomUUID } from 'node:crypto';
import {
  ATTESTATION_AUDIENCE,
  ATTESTATION_TTL_S,
  ATTESTATION_TYPE,
  GATEWAY_AUDIENCE,
  SERVICE_TOKEN_TTL_S,
  SERVICE_TOKEN_TYPE,
} from '@nuqloud/contracts';
import type { AttestationClaims, PublicKeyFile, ServiceTokenClaims } from '@nuqloud/contracts';
import { generateKeys, TokenSigner } from '@nuqloud/platform';
import type { KeyOwner } from '@nuqloud/platform';

/** Keys of some services, as KEYS_DIR would have them. */
export const makeKeys = async (...services: KeyOwner[]) => {
  const signers: Record<string, TokenSigner> = {};
  const publicKeys: PublicKeyFile = { version: 1, services: {} };
  for (const service of services) {
    const { signing } = await generateKeys(service);
    signers[service] = new TokenSigner(service, signing);
    const { kid, kty, crv, x } = signing;
    publicKeys.services[service] = { signing: [{ kid, kty, crv, x }], nats: 'UX' };
  }
  const signerOf = (service: KeyOwner): TokenSigner => {
    const signer = signers[service];
    if (!signer) throw new Error(`no keys were made for ${service}`);
    return signer;
  };
  return { signerOf, publicKeys };
};

/** An attestation as talk-ingress signs it; `over` changes claims. */
export const attest = (
  signer: TokenSigner,
  over: Partial<AttestationClaims> = {},
  type: string = ATTESTATION_TYPE,
): Promise<string> => {
  const iat = Math.floor(Date.now() / 1000);
  return signer.sign(type, {
    aud: ATTESTATION_AUDIENCE,
    sub: 'users/alice',
    instance: 'default',
    bot: 'nuq',
    room: 'x7k2m9pq',
    message: '1567',
    kind: 'message',
    textHash: createHash('sha256').update('list my files').digest('hex'),
    iat,
    exp: iat + ATTESTATION_TTL_S,
    ...over,
  });
};

/** A service token for one request; `over` changes claims. */
export const serviceToken = (
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
