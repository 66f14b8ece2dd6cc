import { z } from 'zod';
import { defineRequest } from '../bus/define-message';
import { Problem } from './problem';

const ExaminedModel = z.object({
  /** As a bot names it; null for the one named in the environment. */
  model: z.string().max(200).nullable(),
  /** Null where the model called the tool that it was asked to call. */
  problem: Problem.nullable(),
});
export type ExaminedModel = z.infer<typeof ExaminedModel>;

export const ExamineModelReply = z.object({ v: z.literal(1), models: z.array(ExaminedModel).max(100) });
export type ExamineModelReply = z.infer<typeof ExamineModelReply>;

/** Does the model endpoint answer, and does the model call tools? Asked by the doctor; each time costs a few tokens. */
export const ExamineModel = defineRequest({
  name: 'agent.examine-model.v1',
  subject: 'agent.examine-model',
  request: z.object({ v: z.literal(1) }),
  reply: ExamineModelReply,
  timeoutMs: 60_000,
});
