import type {
  AttestationClaims,
  ExecuteToolRequest,
  PlannedAction,
  ResourceScope,
  ToolCallContext,
} from '@nuqloud/contracts';
import type { ActingIdentity } from '../approve/call-planner';
import type { VerifiedApproval } from '../approve/approval-verifier';

/** A call by a person who was proven to have asked for it. */
export interface VerifiedCall {
  readonly callId: string;
  readonly tool: string;
  readonly context: ToolCallContext;
  /** Hand it on to the gateway; it says who asked. */
  readonly attestation: string;
  readonly claims: AttestationClaims;
  /** What the person wrote. */
  readonly text: string;
  readonly scope: ResourceScope | undefined;
  /** Whose words may have led the model here; empty where only the person's own can have. */
  readonly taint: readonly string[];
  /** As whom an approved action is to be done, and as nobody else; what was not asked for yet is resolved. */
  readonly actAs: ActingIdentity | undefined;
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** Makes what a provider's tools get with each call. */
export type CreateCall<Call> = (call: VerifiedCall) => Call | Promise<Call>;

export const verifiedCall = (
  { callId, tool, context, attestation, text, scope, taint = [] }: ExecuteToolRequest,
  claims: AttestationClaims,
  signal: AbortSignal,
): VerifiedCall => ({
  callId,
  tool,
  context,
  attestation,
  claims,
  text,
  scope,
  taint,
  actAs: undefined,
  signal,
});

/** An approved action runs within the scope it was planned in, and is looked at as strictly as it was then. */
export const approvedCall = ({ request, claims }: VerifiedApproval, signal: AbortSignal): VerifiedCall => {
  const { callId, context, attestation, text } = request;
  const { tool, scope, taint = [], mode, profile, uid }: PlannedAction = request.action;
  const actAs = { mode, profile, uid };
  return { callId, tool, context, attestation, claims, text, scope, taint, actAs, signal };
};
