import { z } from 'zod';
import { defineRequest } from '../bus/define-message';
import { Attestation } from '../chat/attestation';
import { ProviderId, ToolName } from '../ids';
import { PlanToken } from '../tools/planned-action.v1';

/** Actions that one prompt may ask for. */
export const MAX_PROMPT_ACTIONS = 10;

/** What would be done: signed by our own tool service, or, of a third party's tool, just the call. */
export const Proposal = z.union([
  z.strictObject({ plan: PlanToken }),
  z.strictObject({
    call: z.strictObject({
      provider: ProviderId,
      tool: ToolName,
      label: z.string().min(1).max(80),
      arguments: z.record(z.string(), z.unknown()),
      /** Where the instruction may have come from, in a tainted turn. */
      sources: z.array(z.string().min(1).max(300)).max(5),
    }),
  }),
]);
export type Proposal = z.infer<typeof Proposal>;

export const ProposeConfirmationRequest = z.object({
  v: z.literal(1),
  /** Of the message that asked. */
  attestation: Attestation,
  proposals: z.array(Proposal).min(1).max(MAX_PROMPT_ACTIONS),
  /** BCP 47. */
  language: z.string().min(2).max(35),
  /** IANA zone in which times are shown, or null for UTC. */
  zone: z.string().max(64).nullable(),
});
export type ProposeConfirmationRequest = z.infer<typeof ProposeConfirmationRequest>;

export const ProposeConfirmationReply = z.object({
  v: z.literal(1),
  confirmation: z.uuid(),
  /** The prompt as it is posted in the room, without its code: what the model knows it can be led to ask for. */
  text: z.string().max(32_000),
});
export type ProposeConfirmationReply = z.infer<typeof ProposeConfirmationReply>;

/** Asks a person for a "yes". The same proposals for the same message are one prompt, however often they are sent. */
export const ProposeConfirmation = defineRequest({
  name: 'confirm.propose.v1',
  subject: 'confirm.propose',
  request: ProposeConfirmationRequest,
  reply: ProposeConfirmationReply,
  timeoutMs: 5_000,
});
