import { randomBytes } from 'node:crypto';
import type { ActionOutcome, GrantClaims } from '@nuqloud/contracts';
import {
  CLAIM_PROOF_AUDIENCE,
  CLAIM_PROOF_TTL_S,
  CLAIM_PROOF_TYPE,
  ClaimProofClaims,
  CONFIRMATION_REFUSALS,
  GRANT_TYPE,
  GrantClaims as GrantSchema,
} from '@nuqloud/contracts';
import type { MessageContext } from '@nuqloud/messaging';
import type { TokenVerifier } from '@nuqloud/platform';
import { InvalidToken, sha256 } from '@nuqloud/platform';
import { claimedIssuer } from '../attest/claimed-issuer';
import { audienceOf } from '../attest/providers';
import { ConfirmationRefusal } from '../domain/confirmation-refusal';
import type { AuditLog } from '../ports/audit-log';
import type { ClaimedAction, Claims } from '../ports/claims';
import type { Clock } from '../ports/clock';

/** Whoever took an approval has this long to say how it went. */
const CLAIM_MS = 60_000;
/** Clocks of two machines may differ by this much. */
const CLOCK_SKEW_S = 30;

export interface Claimed {
  /** Settles the claim. */
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

/** Gives an approved action to the first of those who may do it, and hears how it went. */
export class ClaimApproval {
  constructor(
    private readonly tokens: TokenVerifier,
    private readonly claims: Claims,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** @throws ConfirmationRefusal INVALID_GRANT, ALREADY_CLAIMED, or a retryable AppError: then it is not taken */
  async claim(grant: string, proof: string, context: MessageContext): Promise<Claimed> {
    const { claimant, grantClaims } = await this.verify(grant, proof);
    const at = this.clock();
    const token = randomBytes(32).toString('base64url');
    const deadline = at + CLAIM_MS;
    const result = await this.claims.claim(
      {
        confirmation: grantClaims.confirmation,
        n: grantClaims.n,
        hash: grantClaims.hash,
        sub: grantClaims.sub,
        message: grantClaims.message,
        claimant,
        grantId: grantClaims.jti,
        claimHash: sha256(token),
        at,
        deadline,
      },
      (action) =>
        this.audit.append([{ ...aboutAction(action), kind: 'action.claimed', claimant }], at, context),
    );
    if (result === 'not-approved') throw invalidGrant('nothing that it names is approved');
    if (result === 'taken') throw alreadyClaimed();
    return { token, deadline };
  }

  /** @throws ConfirmationRefusal UNKNOWN_CLAIM, or a retryable AppError: then the same can be said again */
  async settle(token: string, outcome: ActionOutcome, context: MessageContext): Promise<void> {
    const at = this.clock();
    const result = await this.claims.settle(sha256(token), outcome, (action) =>
      this.audit.append(
        [{ ...aboutAction(action), kind: 'action.settled', outcome: outcome.state }],
        at,
        context,
      ),
    );
    if (result === 'no-such-claim') {
      throw new ConfirmationRefusal(CONFIRMATION_REFUSALS.UNKNOWN_CLAIM, 'There is no such claim.');
    }
  }

  private async verify(
    grant: string,
    proof: string,
  ): Promise<{ claimant: string; grantClaims: GrantClaims }> {
    const claimant = claimedIssuer(proof);
    const audience = audienceOf(claimant);
    if (claimant === undefined || audience === undefined)
      throw invalidGrant('nobody who may claim presents it');
    try {
      const proven = await this.tokens.verify(proof, {
        type: CLAIM_PROOF_TYPE,
        issuer: claimant,
        audience: CLAIM_PROOF_AUDIENCE,
        claims: ClaimProofClaims,
      });
      if (!hasProperLifetime(proven, this.clock()))
        throw invalidGrant('the lifetime of its proof is not the agreed one');
      const grantClaims = await this.tokens.verify(grant, {
        type: GRANT_TYPE,
        issuer: 'confirmation',
        audience,
        claims: GrantSchema,
      });
      if (proven.jti !== grantClaims.jti) throw invalidGrant('its proof is for another grant');
      return { claimant, grantClaims };
    } catch (error) {
      if (error instanceof InvalidToken) throw invalidGrant(error.message);
      throw error;
    }
  }
}

const hasProperLifetime = ({ iat, exp }: { iat: number; exp: number }, nowMs: number): boolean =>
  exp > iat && exp - iat <= CLAIM_PROOF_TTL_S && iat <= nowMs / 1_000 + CLOCK_SKEW_S;

const aboutAction = ({ sub, ...action }: ClaimedAction) => ({ ...action, person: sub });

const invalidGrant = (reason: string): ConfirmationRefusal =>
  new ConfirmationRefusal(
    CONFIRMATION_REFUSALS.INVALID_GRANT,
    `The grant is not acceptable: ${reason}. Nothing may be done with it.`,
  );

const alreadyClaimed = (): ConfirmationRefusal =>
  new ConfirmationRefusal(
    CONFIRMATION_REFUSALS.ALREADY_CLAIMED,
    'Somebody took this approval already: it is good for one claim.',
  );
