import type { RepliedMessage } from '@nuqloud/contracts';
import { CONFIRMATION_REFUSALS, quotationToHash } from '@nuqloud/contracts';
import { InvalidToken, sha256, TokenVerifier, verifyAttestation } from '@nuqloud/platform';
import type { AttestationClaims, PublicKeyFile } from '@nuqloud/contracts';
import { ConfirmationRefusal } from '../domain/confirmation-refusal';
import type { AttestedMessage } from '../domain/judge-answer';
import type { Clock } from '../ports/clock';

export interface RelayedMessage {
  readonly attestation: string;
  readonly text: string;
  readonly quoted?: RepliedMessage | undefined;
}

/** A message as it was really written, and until when somebody may act for its writer. */
export interface ReadMessage extends AttestedMessage {
  /** Seconds since the epoch. */
  readonly exp: number;
  readonly expired: boolean;
}

/** Believes nothing about a message but what talk-ingress signed. */
export class ReadAttested {
  private readonly tokens: TokenVerifier;
  /** Knows no time: what an expired message was answered with can still be asked for. */
  private readonly signatures: TokenVerifier;

  constructor(
    publicKeys: PublicKeyFile,
    private readonly clock: Clock,
  ) {
    this.tokens = new TokenVerifier(publicKeys, clock);
    this.signatures = new TokenVerifier(publicKeys, () => 0);
  }

  /** @throws ConfirmationRefusal INVALID_ATTESTATION */
  async claims(attestation: string): Promise<AttestationClaims> {
    return verify(this.tokens, attestation);
  }

  /**
   * With its text and quotation checked against the attested hashes. An expired one is read as well and says so.
   * @throws ConfirmationRefusal INVALID_ATTESTATION
   */
  async message({ attestation, text, quoted }: RelayedMessage): Promise<ReadMessage> {
    const claims = await verify(this.signatures, attestation);
    if (sha256(text) !== claims.textHash) throw invalid('its text is another');
    if ((quoted && sha256(quotationToHash(quoted))) !== claims.quotedHash) {
      throw invalid('its quotation is another, or is missing');
    }
    return {
      id: claims.message,
      kind: claims.kind,
      instance: claims.instance,
      bot: claims.bot,
      room: claims.room,
      thread: claims.thread,
      sub: claims.sub,
      at: claims.at,
      ...(claims.fromHistory && { fromHistory: true }),
      text,
      quoted,
      exp: claims.exp,
      expired: claims.exp * 1_000 <= this.clock(),
    };
  }
}

const verify = async (tokens: TokenVerifier, attestation: string): Promise<AttestationClaims> => {
  try {
    return await verifyAttestation(tokens, attestation);
  } catch (error) {
    if (error instanceof InvalidToken) throw invalid(error.message);
    throw error;
  }
};

const invalid = (reason: string): ConfirmationRefusal =>
  new ConfirmationRefusal(
    CONFIRMATION_REFUSALS.INVALID_ATTESTATION,
    `A valid attestation of the message is needed: ${reason}.`,
  );
