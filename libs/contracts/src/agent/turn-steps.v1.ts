import { z } from 'zod';
import { Proposal } from '../confirmation/propose-confirmation.v1';
import { ProviderId, ToolName } from '../ids';
import { ResourceScope, ToolReceipt } from '../tools/execute-tool.v1';

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
  /** Of a call with a receipt: who did it, and within which limits it may be undone. */
  provider: ProviderId.optional(),
  scope: ResourceScope.optional(),
  /** Nothing was done: the person is asked first. */
  proposal: Proposal.optional(),
  /** Where the text came from, when others than the person could write it. */
  foreign: z.string().max(300).optional(),
});
export type AnsweredCall = z.infer<typeof AnsweredCall>;

/**
 * Why a model was asked: for the next move, again with a search required, again because it wrote a call as text, or
 * for a last answer without tools.
 */
export const AskPurpose = z.enum(['answer', 'forced-search', 'real-call', 'synthesis']);
export type AskPurpose = z.infer<typeof AskPurpose>;

export const ModelStepRequest = z.object({ v: z.literal(1), purpose: AskPurpose });

/** What an endpoint wants to see again of its own answer (reasoning, signatures of calls), as it came. */
export const ModelReplay = z.object({
  /** Another endpoint could not read it. */
  endpoint: z.string().max(40),
  message: z.record(z.string(), z.unknown()),
  /** By the id of the call. */
  calls: z.record(z.string(), z.record(z.string(), z.unknown())),
});
export type ModelReplay = z.infer<typeof ModelReplay>;

export const ModelStepResult = z.object({
  v: z.literal(1),
  text: z.string(),
  toolCalls: z.array(RequestedCall),
  /** The model's limit ended the text. */
  cutOff: z.boolean().optional(),
  replay: ModelReplay.optional(),
  /** It could not read the whole conversation: in this turn it is sent less. */
  shortened: z.boolean().optional(),
  /** Code of the model's failure; then there is no text and no call. */
  failure: z.string().optional(),
});

export const ToolsStepRequest = z.object({ v: z.literal(1), calls: z.array(RequestedCall) });
export const ToolsStepResult = z.object({ v: z.literal(1), answers: z.array(AnsweredCall) });

/** Asks the person for a "yes" to what the last batch proposed. */
export const ProposeStepRequest = z.object({ v: z.literal(1) });
export const ProposeStepResult = z.object({
  v: z.literal(1),
  /** The prompt as it stands in the room, or why the person was not asked. */
  text: z.string(),
  /** Missing when the person was not asked. */
  confirmation: z.uuid().optional(),
});

/** How one approved action ended, as it is told to the person. */
export const ActionReport = z.object({
  n: z.number().int().min(1),
  title: z.string(),
  state: z.enum(['done', 'failed', 'unknown', 'lapsed']),
  text: z.string(),
  provider: ProviderId.optional(),
  tool: ToolName.optional(),
  receipt: ToolReceipt.optional(),
  scope: ResourceScope.optional(),
});
export type ActionReport = z.infer<typeof ActionReport>;

/** Carries out what the person said "yes" to. */
export const ActStepRequest = z.object({ v: z.literal(1), confirmation: z.uuid() });
export const ActStepResult = z.object({ v: z.literal(1), reports: z.array(ActionReport) });

/** Runs the inverse of a receipt. */
export const UndoStepRequest = z.object({
  v: z.literal(1),
  /** Row number of the receipt. */
  receipt: z.string().regex(/^[0-9]{1,19}$/),
  /** As it is shown to the person. */
  target: z.string().max(4_000),
  /** Who did it, and so undoes it, within which limits. */
  provider: ProviderId,
  scope: ResourceScope.optional(),
  call: RequestedCall,
});
export const UndoStepResult = z.object({ v: z.literal(1), answer: AnsweredCall });

export const ReplyStepRequest = z.object({
  v: z.literal(1),
  text: z.string(),
  outcome: z.enum(['answered', 'failed']),
  /** `confirmation` has posted it already. */
  posted: z.boolean().optional(),
});

/**
 * A step of a turn as it is stored: written as `started` before it is acted on, completed with its
 * result afterwards. An unknown version is refused, never guessed.
 */
export const TurnStep = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('model'), request: ModelStepRequest, result: ModelStepResult.nullable() }),
  z.object({ kind: z.literal('tools'), request: ToolsStepRequest, result: ToolsStepResult.nullable() }),
  z.object({
    kind: z.literal('propose'),
    request: ProposeStepRequest,
    result: ProposeStepResult.nullable(),
  }),
  z.object({ kind: z.literal('act'), request: ActStepRequest, result: ActStepResult.nullable() }),
  z.object({ kind: z.literal('undo'), request: UndoStepRequest, result: UndoStepResult.nullable() }),
  z.object({
    kind: z.literal('reply'),
    request: ReplyStepRequest,
    result: z.object({ v: z.literal(1) }).nullable(),
  }),
]);
export type TurnStep = z.infer<typeof TurnStep>;
