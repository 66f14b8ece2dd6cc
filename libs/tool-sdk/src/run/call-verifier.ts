import type { AttestationClaims, ToolCallContext } from '@nuqloud/contracts';
import { AppError, sha256, verifyAttestation } from '@nuqloud/platform';
import type { TokenVerifier } from '@nuqloud/platform';

/** Why a call was not even looked at. */
export const CALL_ERRORS = {
  NOT_ATTESTED: 'TOOL.ATTESTATION_INVALID',
  OTHER_TEXT: 'TOOL.ATTESTATION_OTHER_TEXT',
  OTHER_CONTEXT: 'TOOL.ATTESTATION_OTHER_CONTEXT',
  NOT_WRITTEN: 'TOOL.ATTESTATION_NOT_WRITTEN',
  NO_LOCAL_USER: 'TOOL.ATTESTATION_NO_LOCAL_USER',
  UNKNOWN_TOOL: 'TOOL.UNKNOWN',
} as const;

const LOCAL_USER = 'users/';

/** What a call says of the message under which it is made. */
export interface AttestedCall {
  readonly attestation: string;
  readonly context: ToolCallContext;
  readonly text: string;
}

/**
 * A tool runs only for a person who has just written to the bot: talk-ingress signed who, where
 * and what, and the call must be about exactly that.
 */
export class CallVerifier {
  constructor(private readonly tokens: TokenVerifier) {}

  /** @throws AppError with one of CALL_ERRORS */
  async verify(request: AttestedCall): Promise<AttestationClaims> {
    const claims = await this.claimsOf(request.attestation);
    if (claims.kind !== 'message' && claims.kind !== 'attachment') {
      throw new AppError(CALL_ERRORS.NOT_WRITTEN, 'Tools run for something written, not for a reaction.');
    }
    // `sub` is split at its first slash only: `users/a/b` is the local user "a/b".
    if (!claims.sub.startsWith(LOCAL_USER) || claims.sub.length === LOCAL_USER.length) {
      throw new AppError(CALL_ERRORS.NO_LOCAL_USER, 'Tools run only for users of this Nextcloud.');
    }
    const place = otherPlace(request.context, claims);
    if (place) {
      throw new AppError(
        CALL_ERRORS.OTHER_CONTEXT,
        `The call names another ${place} than the attested message.`,
      );
    }
    if (sha256(request.text) !== claims.textHash) {
      throw new AppError(CALL_ERRORS.OTHER_TEXT, 'The text is not the one that was attested.');
    }
    return claims;
  }

  private async claimsOf(attestation: string): Promise<AttestationClaims> {
    try {
      return await verifyAttestation(this.tokens, attestation);
    } catch (cause) {
      throw new AppError(CALL_ERRORS.NOT_ATTESTED, 'The attestation of the message is not acceptable.', {
        cause,
      });
    }
  }
}

/** The first part of the context that is not the attested one. */
const otherPlace = (context: ToolCallContext, claims: AttestationClaims): string | undefined => {
  if (context.instance !== claims.instance) return 'instance';
  if (context.bot !== claims.bot) return 'bot';
  if (context.room !== claims.room) return 'room';
  if (context.thread !== claims.thread) return 'thread';
  if (context.messageId !== claims.message) return 'message';
  return undefined;
};
