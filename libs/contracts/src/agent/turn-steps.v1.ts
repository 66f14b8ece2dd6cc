import { z } from 'zod';
import { ToolReceipt } from '../tools/execute-tool.v1';

/** A tool call as a model wrote it: name and arguments may be anything. */
export const RequestedCall = z.object({
  id: z.string().max(200),
  name: z.string().max(200),
  argumentsText: z.string().max(400_000),
});
export type RequestedCall = z.infer<typeof RequestedCall>;

/** What became of one requested call; `text` is what the model was told. */
export const AnsweredCall = z.object({
  id: z.string().max(200),
  name: z.string().max(200),
  text: z.string(),
  isError: z.boolean(),
  /** Signature of a write that ran, so that the identical call is not run again in this turn. */
  doneWrite: z.string().optional(),
  receipt: ToolReceipt.optional(),
});
export type AnsweredCall = z.infer<typeof AnsweredCall>;

/** Why a model was asked: for the next move, again with a search required, or for a last answer without tools. */
export const AskPurpose = z.enum(['answer', 'forced-search', 'synthesis']);
export type AskPurpose = z.infer<typeof AskPurpose>;

export const ModelStepRequest = z.object({ v: z.literal(1), purpose: AskPurpose });
export const ModelStepResult = z.object({
  v: z.literal(1),
  text: z.string(),
  toolCalls: z.array(RequestedCall),
  /** The model's limit ended the text. */
  cutOff: z.boolean().optional(),
  /** Code of the model's failure; then there is no text and no call. */
  failure: z.string().optional(),
});

export const ToolsStepRequest = z.object({ v: z.literal(1), calls: z.array(RequestedCall) });
export const ToolsStepResult = z.object({ v: z.literal(1), answers: z.array(AnsweredCall) });

export const ReplyStepRequest = z.object({
  v: z.literal(1),
  text: z.string(),
  outcome: z.enum(['answered', 'failed']),
});

/**
 * A step of a turn as it is stored: written as `started` before it is acted on, completed with its
 * result afterwards. An unknown version is refused, never guessed.
 */
export const TurnStep = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('model'), request: ModelStepRequest, result: ModelStepResult.nullable() }),
  z.object({ kind: z.literal('tools'), request: ToolsStepRequest, result: ToolsStepResult.nullable() }),
  z.object({
    kind: z.literal('reply'),
    request: ReplyStepRequest,
    result: z.object({ v: z.literal(1) }).nullable(),
  }),
]);
export type TurnStep = z.infer<typeof TurnStep>;
