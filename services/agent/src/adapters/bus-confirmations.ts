import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import {
  AnswerConfirmation,
  CLAIM_PROOF_AUDIENCE,
  CLAIM_PROOF_TTL_S,
  CLAIM_PROOF_TYPE,
  ClaimApproval,
  GRANT_AUDIENCE_AGENT,
  GRANT_TYPE,
  GrantClaims,
  ProposeConfirmation,
} from '@nuqloud/contracts';
import type {
  ActionOutcome,
  ChatMessage,
  ChatReaction,
  ProposeConfirmationRequest,
} from '@nuqloud/contracts';
import { Bus, BUS_ERRORS } from '@nuqloud/messaging';
import type { MessageContext } from '@nuqloud/messaging';
import { AppError, describeError, errorCode, LOGGER, TokenSigner, TokenVerifier } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import { Confirmations } from '../ports/confirmations';
import type { Verdict } from '../ports/confirmations';

/** Injection token: signs in the agent's own name. */
export const SIGNER = Symbol('signer');

const SETTLE_TIMEOUT_MS = 2_000;

@Injectable()
export class BusConfirmations extends Confirmations {
  constructor(
    private readonly bus: Bus,
    @Inject(SIGNER) private readonly signer: TokenSigner,
    private readonly tokens: TokenVerifier,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  async propose(
    request: Omit<ProposeConfirmationRequest, 'v'>,
    context: MessageContext,
  ): Promise<{ confirmation: string; text: string }> {
    return again(() => this.bus.request(ProposeConfirmation, {}, { v: 1, ...request }, { context }));
  }

  async judge(event: ChatMessage | ChatReaction, context: MessageContext): Promise<Verdict> {
    const { attestation } = event;
    const text = event.kind === 'message' ? event.text : event.reaction;
    const quoted = event.kind === 'message' ? event.replyTo : undefined;
    const request = { v: 1, attestation, text, ...(quoted && { quoted }) } as const;
    return again(() => this.bus.request(AnswerConfirmation, {}, request, { context }));
  }

  async claim(grant: string, context: MessageContext): Promise<string> {
    const { jti } = await this.tokens.verify(grant, {
      type: GRANT_TYPE,
      issuer: 'confirmation',
      audience: GRANT_AUDIENCE_AGENT,
      claims: GrantClaims,
    });
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
    if (reply.phase !== 'claim') throw new Error('confirmation answered a claim with something else');
    return reply.claim;
  }

  async settle(claim: string, outcome: ActionOutcome, context: MessageContext): Promise<void> {
    const request = { v: 1, phase: 'settle', claim, outcome } as const;
    try {
      await again(() =>
        this.bus.request(ClaimApproval, {}, request, { context, timeoutMs: SETTLE_TIMEOUT_MS }),
      );
    } catch (error) {
      // It counts as unknown there; the person hears the truth from us.
      this.logger.error({ event: 'action.settle-failed', ...describeError(error) });
    }
  }
}

/** Whoever died while being asked is usually back within this many seconds. */
const ASK_AGAIN_TIMES = 12;
const ASK_AGAIN_EVERY_MS = 1_000;

/**
 * What was not answered may have been done by somebody who died before they could say so, and what is done must not be
 * told as undone. The same request again is answered the same. Where nobody is there at all, nothing was done.
 */
const again = async <T>(ask: () => Promise<T>): Promise<T> => {
  try {
    return await ask();
  } catch (error) {
    const mayBeDone = error instanceof AppError && error.retryable && !isUnheard(error);
    if (!mayBeDone) throw error;
    for (let times = 0; times < ASK_AGAIN_TIMES; times += 1) {
      try {
        return await ask();
      } catch (later) {
        // That nobody is there now says nothing of the first time.
        if (!isUnheard(later)) throw error;
        await sleep(ASK_AGAIN_EVERY_MS);
      }
    }
    throw error;
  }
};

const isUnheard = (error: unknown): boolean => errorCode(error) === BUS_ERRORS.NO_RESPONDERS;
