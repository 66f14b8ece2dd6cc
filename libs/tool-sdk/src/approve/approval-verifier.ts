import { GRANT_TYPE, GrantClaims } from '@nuqloud/contracts';
import type { ActOnApprovalRequest, AttestationClaims, PlannedAction, ProviderId } from '@nuqloud/contracts';
import { actionHash, AppError } from '@nuqloud/platform';
import type { TokenVerifier } from '@nuqloud/platform';
import type { CallVerifier } from '../run/call-verifier';

/** Why an approval was not even looked at; nothing was claimed and nothing done. */
export const APPROVAL_ERRORS = {
  /** Forged, expired, or for another claimant. */
  INVALID_GRANT: 'TOOL.GRANT_INVALID',
  /** The grant is for another action, by one field or all of them. */
  OTHER_ACTION: 'TOOL.GRANT_OTHER_ACTION',
  /** The grant is of another person or for another "yes" than the attested one. */
  OTHER_ANSWER: 'TOOL.GRANT_OTHER_ANSWER',
  OTHER_PROVIDER: 'TOOL.ACTION_OTHER_PROVIDER',
  /** The action was asked for in another place or by somebody else. */
  OTHER_PLACE: 'TOOL.ACTION_OTHER_PLACE',
  /** Only a message is an answer. */
  NO_ANSWER: 'TOOL.APPROVAL_NO_MESSAGE',
} as const;

export interface VerifiedApproval {
  readonly request: ActOnApprovalRequest;
  /** Of the "yes". */
  readonly claims: AttestationClaims;
  readonly grant: GrantClaims;
}

/** An approved action is done only as it was approved, where it was approved, for whom and by whom it was approved. */
export class ApprovalVerifier {
  constructor(
    private readonly provider: ProviderId,
    private readonly calls: CallVerifier,
    private readonly tokens: TokenVerifier,
  ) {}

  /** @throws AppError with one of APPROVAL_ERRORS or CALL_ERRORS */
  async verify(request: ActOnApprovalRequest): Promise<VerifiedApproval> {
    const claims = await this.calls.verify(request);
    if (claims.kind !== 'message') {
      throw new AppError(APPROVAL_ERRORS.NO_ANSWER, 'Only a written message can be a "yes".');
    }
    const grant = await this.grantOf(request.grant);
    const { action } = request;
    if (actionHash(action) !== grant.hash) {
      throw new AppError(APPROVAL_ERRORS.OTHER_ACTION, 'This is not the action that was approved.');
    }
    if (grant.sub !== claims.sub || grant.message !== claims.message) {
      throw new AppError(APPROVAL_ERRORS.OTHER_ANSWER, 'The approval belongs to another answer.');
    }
    if (action.provider !== this.provider) {
      throw new AppError(APPROVAL_ERRORS.OTHER_PROVIDER, 'The action belongs to another provider.');
    }
    const place = otherPlace(action, claims);
    if (place) {
      throw new AppError(
        APPROVAL_ERRORS.OTHER_PLACE,
        `The action names another ${place} than the attested answer.`,
      );
    }
    return { request, claims, grant };
  }

  private async grantOf(token: string): Promise<GrantClaims> {
    try {
      return await this.tokens.verify(token, {
        type: GRANT_TYPE,
        issuer: 'confirmation',
        audience: this.provider,
        claims: GrantClaims,
      });
    } catch (cause) {
      throw new AppError(
        APPROVAL_ERRORS.INVALID_GRANT,
        'The approval is not acceptable here, or no longer.',
        {
          cause,
        },
      );
    }
  }
}

const PLACE = ['sub', 'instance', 'bot', 'room', 'thread'] as const;

const otherPlace = (action: PlannedAction, claims: AttestationClaims): string | undefined =>
  PLACE.find((field) => action[field] !== claims[field]);
