import type { PublicKeyFile } from '@nuqloud/contracts';
import { generateKeys, TokenSigner } from '@nuqloud/platform';
import type { KeyOwner } from '@nuqloud/platform';

/** Keys of some services, as KEYS_DIR would have them. */
export const makeKeys = async (...services: KeyOwner[]) => {
  const signers = new Map<KeyOwner, TokenSigner>();
  const publicKeys: PublicKeyFile = { version: 1, services: {} };
  for (const service of services) {
    const { signing } = await generateKeys(service);
    const { kid, kty, crv, x } = signing;
    signers.set(service, new TokenSigner(service, signing));
    publicKeys.services[service] = { signing: [{ kid, kty, crv, x }], nats: 'UX' };
  }
  const signerOf = (service: KeyOwner): TokenSigner => {
    const signer = signers.get(service);
    if (!signer) throw new Error(`no keys were made for ${service}`);
    return signer;
  };
  return { signerOf, publicKeys };
};
