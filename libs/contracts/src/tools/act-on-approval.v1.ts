import { z } from 'zod';
import { defineRequest } from '../bus/define-message';
import { Attestation } from '../chat/attestation';
import { ActionOutcome } from '../confirmation/answer-confirmation.v1';
import { Grant } from '../confirmation/grant';
import { ToolCallContext, ToolResult } from './execute-tool.v1';
import { PlannedAction } from './planned-action.v1';

export const ActOnApprovalRequest = z.object({
  v: z.literal(1),
  callId: z.string().min(1).max(64),
  /** As `confirmation` stored it, not as a model would write it a second time. */
  action: PlannedAction,
  grant: Grant,
  /** Where and by what the "yes" was said; its attestation and text. */
  context: ToolCallContext,
  attestation: Attestation,
  text: z.string().max(64_000),
});
export type ActOnApprovalRequest = z.infer<typeof ActOnApprovalRequest>;

export const ActOnApprovalReply = z.object({
  v: z.literal(1),
  result: ToolResult,
  /** A result that is an error does not tell whether it was done. */
  state: ActionOutcome.shape.state,
});
export type ActOnApprovalReply = z.infer<typeof ActOnApprovalReply>;

/** Does what a person approved: once, and only while what was shown is still so. */
export const ActOnApproval = defineRequest({
  name: 'tools.act.v1',
  subject: 'tools.act.{provider}',
  request: ActOnApprovalRequest,
  reply: ActOnApprovalReply,
  timeoutMs: 60_000,
});
