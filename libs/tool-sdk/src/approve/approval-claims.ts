import { CLAIM_PROOF_AUDIENCE, CLAIM_PROOF_TTL_S, CLAIM_PROOF_TYPE, ClaimApproval } from '@nuqloud/contracts';
import type { ActionOutcome } from '@nuqloud/contracts';
import type { Bus, MessageContext } from '@nuqloud/messaging';
import { AppError, describeError } from '@nuqloud/platform';
import type { Logger, TokenSigner } from '@nuqloud/platform';

export interface Claim {
  /** Settles it; known to us alone. */
  readonly token: string;
  /** Milliseconds since the epoch after which the outcome counts as unknown. */
  readonly deadline: number;
}

/** Takes approvals, each exactly once, and says how they went. */
export interface ApprovalClaims {
  /** @throws AppError, also with the codes of `confirmation`: then nothing may be done */
  take(grant: string, jti: string, context: MessageContext): Promise<Claim>;
  /** Never rejects: what was done is done, whether it can be told or not. */
  settle(claim: Claim, outcome: ActionOutcome, context: MessageContext): Promise<void>;
}

const SETTLE_ATTEMPTS = 2;
const SETTLE_TIMEOUT_MS = 2_000;

export class BusApprovalClaims implements ApprovalClaims {
  constructor(
    private readonly bus: Bus,
    private readonly signer: TokenSigner,
    private readonly logger: Logger,
  ) {}

  async take(grant: string, jti: string, context: MessageContext): Promise<Claim> {
    const iat = Math.floor(Date.now() / 1000);
    const proof = await this.signer.sign(CLAIM_PROOF_TYPE, {
      aud: CLAIM_PROOF_AUDIENCE,
      jti,
      iat,
      exp: iat + CLAIM_PROOF_TTL_S,
    });
    const reply = await this.bus.request(
      ClaimApproval,
      {},
      { v: 1, phase: 'claim', grant, proof },
      { context },
    );
    if (reply.phase !== 'claim') {
      throw new AppError('TOOL.CLAIM_UNREADABLE', 'The approval could not be taken; nothing was done.');
    }
    return { token: reply.claim, deadline: Date.parse(reply.deadline) };
  }

  async settle(claim: Claim, outcome: ActionOutcome, context: MessageContext): Promise<void> {
    for (let attempt = 1; attempt <= SETTLE_ATTEMPTS; attempt += 1) {
      try {
        const request = { v: 1, phase: 'settle', claim: claim.token, outcome } as const;
        await this.bus.request(ClaimApproval, {}, request, { context, timeoutMs: SETTLE_TIMEOUT_MS });
        return;
      } catch (error) {
        // It counts as unknown then, which is told to the person; the caller still gets the truth from us.
        this.logger.error({ event: 'tool.settle-failed', attempt, ...describeError(error) });
        if (!(error instanceof AppError) || !error.retryable) return;
      }
    }
  }
}
