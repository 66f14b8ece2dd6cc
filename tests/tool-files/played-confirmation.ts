import { randomUUID } from 'node:crypto';
import {
  CLAIM_PROOF_AUDIENCE,
  CLAIM_PROOF_TYPE,
  ClaimApproval,
  ClaimProofClaims,
  CONFIRMATION_REFUSALS,
  GRANT_TTL_S,
  GRANT_TYPE,
  PLAN_AUDIENCE,
  PLAN_TYPE,
  PlanClaims,
} from '@nuqloud/contracts';
import type {
  ActionOutcome,
  ClaimApprovalReply,
  ClaimApprovalRequest,
  GrantClaims,
  PlannedAction,
} from '@nuqloud/contracts';
import { actionHash, TokenSigner, TokenVerifier } from '@nuqloud/platform';
import type { TestBed } from '@nuqloud/testing';
import { decodeJwt } from 'jose';
import { headers } from 'nats';

/** `confirmation` with its own keys and its own login on the bus: it grants what it is told to, and lets one claim. */
export class PlayedConfirmation {
  /** What was settled, in order. */
  readonly settled: ActionOutcome[] = [];
  /** Grants that were claimed. */
  readonly claimed: string[] = [];

  private constructor(
    private readonly signer: TokenSigner,
    private readonly tokens: TokenVerifier,
  ) {}

  static async start(stores: TestBed): Promise<PlayedConfirmation> {
    const signer = new TokenSigner('confirmation', (await stores.keysOf('confirmation')).signing);
    const played = new PlayedConfirmation(signer, new TokenVerifier(stores.publicKeys));
    const { connection } = await stores.busOf('confirmation');
    connection.subscribe(ClaimApproval.subject, {
      callback: (_error, message) => {
        const request = ClaimApproval.request.parse(message.json());
        void played.answer(request).then((reply) => {
          if (typeof reply !== 'string') return message.respond(JSON.stringify(reply));
          const refused = headers();
          refused.set('Nats-Service-Error', reply);
          return message.respond(JSON.stringify({ code: reply, message: 'refused', retryable: false }), {
            headers: refused,
          });
        });
      },
    });
    await connection.flush();
    return played;
  }

  /** The action of a plan that tool-files signed. */
  async readPlan(plan: string): Promise<PlanClaims['actions'][number]> {
    const claims = await this.tokens.verify(plan, {
      type: PLAN_TYPE,
      issuer: 'tool-files',
      audience: PLAN_AUDIENCE,
      claims: PlanClaims,
    });
    const [one] = claims.actions;
    if (!one || claims.actions.length !== 1) throw new Error('the plan has not exactly one action');
    if (one.hash !== actionHash(one.action)) throw new Error('the plan has the hash of another action');
    return one;
  }

  grant(action: PlannedAction, over: Partial<GrantClaims> = {}, signer = this.signer): Promise<string> {
    const iat = Math.floor(Date.now() / 1000);
    return signer.sign(GRANT_TYPE, {
      aud: 'files',
      confirmation: randomUUID(),
      n: 1,
      hash: actionHash(action),
      sub: action.sub,
      message: '1600',
      jti: randomUUID(),
      iat,
      exp: iat + GRANT_TTL_S,
      ...over,
    });
  }

  /** The reply, or the code of a refusal. */
  private async answer(request: ClaimApprovalRequest): Promise<ClaimApprovalReply | string> {
    if (request.phase === 'settle') {
      this.settled.push(request.outcome);
      return { v: 1, phase: 'settle' };
    }
    const { jti } = decodeJwt(request.grant);
    const proof = await this.tokens.verify(request.proof, {
      type: CLAIM_PROOF_TYPE,
      issuer: 'tool-files',
      audience: CLAIM_PROOF_AUDIENCE,
      claims: ClaimProofClaims,
    });
    if (jti === undefined || proof.jti !== jti) return CONFIRMATION_REFUSALS.INVALID_GRANT;
    if (this.claimed.includes(jti)) return CONFIRMATION_REFUSALS.ALREADY_CLAIMED;
    this.claimed.push(jti);
    const deadline = new Date(Date.now() + 60_000).toISOString();
    return { v: 1, phase: 'claim', claim: randomUUID(), deadline };
  }
}
