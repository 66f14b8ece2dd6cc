import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import type { AttestationClaims } from '@nuqloud/contracts';
import { InvalidToken, verifyAttestation } from '@nuqloud/platform';
import type { TokenVerifier } from '@nuqloud/platform';
import { GatewayRefusal } from '../domain/gateway-refusal';

/** Reads who wrote what from the token that talk-ingress signed. */
export class VerifyAttestation {
  constructor(private readonly tokens: TokenVerifier) {}

  /** @throws GatewayRefusal INVALID_ATTESTATION */
  async verify(attestation: string): Promise<AttestationClaims> {
    try {
      return await verifyAttestation(this.tokens, attestation);
    } catch (error) {
      if (!(error instanceof InvalidToken)) throw error;
      throw new GatewayRefusal(
        GATEWAY_REFUSALS.INVALID_ATTESTATION,
        `Nobody acts without a valid attestation of talk-ingress: ${error.message}`,
      );
    }
  }
}
