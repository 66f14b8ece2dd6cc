import { z } from 'zod';
import { defineRequest } from '../bus/define-message';
import { ActionOutcome } from './answer-confirmation.v1';
import { Grant } from './grant';

export const ClaimToken = z.string().min(16).max(64);

export const ClaimApprovalRequest = z.discriminatedUnion('phase', [
  z.object({
    v: z.literal(1),
    phase: z.literal('claim'),
    grant: Grant,
    /** ClaimProofClaims, signed by the claimant. */
    proof: z.string().max(4_096),
  }),
  z.object({ v: z.literal(1), phase: z.literal('settle'), claim: ClaimToken, outcome: ActionOutcome }),
]);
export type ClaimApprovalRequest = z.infer<typeof ClaimApprovalRequest>;

export const ClaimApprovalReply = z.discriminatedUnion('phase', [
  z.object({
    v: z.literal(1),
    phase: z.literal('claim'),
    /** Settles this claim; known to the claimant alone. */
    claim: ClaimToken,
    /** Past it the outcome counts as unknown. */
    deadline: z.iso.datetime(),
  }),
  z.object({ v: z.literal(1), phase: z.literal('settle') }),
]);
export type ClaimApprovalReply = z.infer<typeof ClaimApprovalReply>;

/** Takes an approval, exactly once, right before acting on it; and says afterwards how it went. */
export const ClaimApproval = defineRequest({
  name: 'confirm.claim.v1',
  subject: 'confirm.claim',
  request: ClaimApprovalRequest,
  reply: ClaimApprovalReply,
  timeoutMs: 5_000,
});
