import { z } from 'zod';
import { defineRequest } from '../bus/define-message';
import { Attestation } from '../chat/attestation';
import { RepliedMessage } from '../chat/chat-event.v1';
import { ProviderId, ToolName } from '../ids';
import { ResourceScope, ToolReceipt } from '../tools/execute-tool.v1';
import { PlannedAction } from '../tools/planned-action.v1';
import { Grant } from './grant';

export const AnswerConfirmationRequest = z.object({
  v: z.literal(1),
  /** Of the message, or of the reaction, that may be an answer. */
  attestation: Attestation,
  /** Its text, checked against the attested hash; of a reaction, the emoji. */
  text: z.string().max(64_000),
  /** What it quotes, checked against the attested hash. */
  quoted: RepliedMessage.optional(),
});
export type AnswerConfirmationRequest = z.infer<typeof AnswerConfirmationRequest>;

/** How an approved action ended, as its executor settled it. */
export const ActionOutcome = z.object({
  state: z.enum(['done', 'failed', 'unknown']),
  /** For people: what was done, or what was not and why. */
  text: z.string().max(16_000),
  receipt: ToolReceipt.optional(),
});
export type ActionOutcome = z.infer<typeof ActionOutcome>;

const base = {
  n: z.number().int().min(1),
  /** One line, e.g. "Delete /Docs/plan.md", in the person's language. */
  title: z.string().max(8_000),
};

export const ApprovedAction = z.discriminatedUnion('state', [
  /** To be done now; the grant is good for 60 s and one claim. */
  z.object({ ...base, state: z.literal('approved'), action: PlannedAction, grant: Grant }),
  /** Somebody is at it. */
  z.object({ ...base, state: z.literal('claimed') }),
  z.object({
    ...base,
    state: z.literal('settled'),
    outcome: ActionOutcome,
    /** By whom, and within which limits, it was done: what can undo it must know. */
    provider: ProviderId,
    tool: ToolName,
    scope: ResourceScope.optional(),
  }),
  /** Never claimed, and too late to begin. */
  z.object({ ...base, state: z.literal('lapsed') }),
]);
export type ApprovedAction = z.infer<typeof ApprovedAction>;

/**
 * What an answer came to. `open` tells whether this person still has a prompt in this room that can be answered:
 * as long as not, nobody needs to ask about further messages.
 */
export const AnswerConfirmationReply = z.discriminatedUnion('verdict', [
  /** No answer: an ordinary message. */
  z.object({ v: z.literal(1), verdict: z.literal('ordinary'), open: z.boolean() }),
  /** Dealt with here (the code was asked for, a hint was given, it came too late): nobody answers it any more. */
  z.object({ v: z.literal(1), verdict: z.literal('consumed'), open: z.boolean() }),
  z.object({
    v: z.literal(1),
    verdict: z.literal('rejected'),
    open: z.boolean(),
    confirmation: z.uuid(),
    titles: z.array(z.string().max(8_000)),
  }),
  z.object({
    v: z.literal(1),
    verdict: z.literal('approved'),
    open: z.boolean(),
    confirmation: z.uuid(),
    actions: z.array(ApprovedAction).min(1),
  }),
]);
export type AnswerConfirmationReply = z.infer<typeof AnswerConfirmationReply>;

/**
 * Is this the answer to a prompt? Judged from the attested text alone. The same message asked about again gets the
 * same verdict, with the present state of its actions: that is how work goes on after a crash.
 */
export const AnswerConfirmation = defineRequest({
  name: 'confirm.answer.v1',
  subject: 'confirm.answer',
  request: AnswerConfirmationRequest,
  reply: AnswerConfirmationReply,
  timeoutMs: 5_000,
});
