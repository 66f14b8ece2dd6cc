import { z } from 'zod';
import { MessageId } from '../ids';
import { ActionHash } from '../tools/planned-action.v1';

export const GRANT_TYPE = 'nuqloud-grant+jwt';
/** Seconds within which an approved action must be claimed. */
export const GRANT_TTL_S = 60;
/** Audience of a grant for a third party's tool: the agent claims it. */
export const GRANT_AUDIENCE_AGENT = 'agent';
export const Grant = z.string().max(4_096);

/**
 * Claims of the EdDSA JWT by which `confirmation` says that the asker approved one action. `aud` is the
 * provider that may claim it (or the agent), `message` the "yes" under whose attestation it is executed.
 */
export const GrantClaims = z.object({
  iss: z.literal('confirmation'),
  aud: z.string().min(1).max(40),
  confirmation: z.uuid(),
  /** Which of the prompt's actions, from 1. */
  n: z.number().int().min(1),
  hash: ActionHash,
  sub: z.string().startsWith('users/').max(1_200),
  message: MessageId,
  jti: z.string().min(16).max(64),
  iat: z.number().int(),
  exp: z.number().int(),
});
export type GrantClaims = z.infer<typeof GrantClaims>;

export const CLAIM_PROOF_TYPE = 'nuqloud-claim+jwt';
export const CLAIM_PROOF_AUDIENCE = 'confirmation';
export const CLAIM_PROOF_TTL_S = 30;

/** Claims of the token with which a claimant proves who it is; `jti` is the grant's. */
export const ClaimProofClaims = z.object({
  iss: z.string().min(1),
  aud: z.literal(CLAIM_PROOF_AUDIENCE),
  jti: z.string().min(16).max(64),
  iat: z.number().int(),
  exp: z.number().int(),
});
