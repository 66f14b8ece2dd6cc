import {
  ATTESTATION_AUDIENCE,
  ATTESTATION_TYPE,
  AttestationClaims,
  MAX_ATTESTATION_LENGTH,
} from '@nuqloud/contracts';
import { InvalidToken } from './token-verifier';
import type { TokenVerifier } from './token-verifier';

/**
 * Reads who wrote what from the token that talk-ingress signed.
 * @throws InvalidToken
 */
export const verifyAttestation = async (
  tokens: TokenVerifier,
  attestation: string,
): Promise<AttestationClaims> => {
  // Also keeps the memory of verified tokens small.
  if (attestation.length > MAX_ATTESTATION_LENGTH) throw new InvalidToken('it is too long');
  return tokens.verify(attestation, {
    type: ATTESTATION_TYPE,
    issuer: 'talk-ingress',
    audience: ATTESTATION_AUDIENCE,
    claims: AttestationClaims,
  });
};
