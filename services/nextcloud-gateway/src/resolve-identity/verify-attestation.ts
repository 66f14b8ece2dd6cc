import {
  ATTESTATION_AUDIENCE,
  ATTESTATION_TYPE,
  AttestationClaims,
  GATEWAY_REFUSALS,
} from '@nuqloud/contracts';
import type { TokenVerifier } from '@nuqloud/platform';
import { InvalidToken } from '@nuqloud/platform';
import { GatewayRefusal } from '../domain/gateway-refusal';

const MAX_LENGTH = 8_192;

/** Reads who wrote what from the token that talk-ingress signed. */
export class VerifyAttestation {
  constructor(private readonly tokens: TokenVerifier) {}

  /** @throws GatewayRefusal INVALID_ATTESTATION */
  async verify(attestation: string): Promise<AttestationClaims> {
    if (attestation.length > MAX_LENGTH) throw invalid('it is too long');
    try {
      return await this.tokens.verify(attestation, {
        type: ATTESTATION_TYPE,
        issuer: 'talk-ingress',
        audience: ATTESTATION_AUDIENCE,
        claims: AttestationClaims,
      });
    } catch (error) {
      if (error instanceof InvalidToken) throw invalid(error.message);
      throw error;
    }
  }
}

const invalid = (reason: string): GatewayRefusal =>
  new GatewayRefusal(
    GATEWAY_REFUSALS.INVALID_ATTESTATION,
    `Nobody acts without a valid attestation of talk-ingress: ${reason}`,
  );
