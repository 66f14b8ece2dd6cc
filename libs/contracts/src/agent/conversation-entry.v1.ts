import { z } from 'zod';
import { AnsweredCall, RequestedCall } from './turn-steps.v1';

/** Said in the room, by a person or the bot: everybody's. */
export const SaidContent = z.object({
  v: z.literal(1),
  text: z.string(),
  /** Where content came from that others could write and that stood before the model when it wrote this. */
  foreign: z.array(z.string().max(300)).max(5).optional(),
});
export type SaidContent = z.infer<typeof SaidContent>;

/** One batch of tool calls with its results: belongs to the person whose turn caused it. */
export const ToolsContent = z.object({
  v: z.literal(1),
  calls: z.array(RequestedCall),
  answers: z.array(AnsweredCall),
});
export type ToolsContent = z.infer<typeof ToolsContent>;
