import { z } from 'zod';
import { AnsweredCall, RequestedCall } from './turn-steps.v1';

/** Said in the room, by a person or the bot: everybody's. */
export const SaidContent = z.object({ v: z.literal(1), text: z.string() });
export type SaidContent = z.infer<typeof SaidContent>;

/** One batch of tool calls with its results: belongs to the person whose turn caused it. */
export const ToolsContent = z.object({
  v: z.literal(1),
  calls: z.array(RequestedCall),
  answers: z.array(AnsweredCall),
});
export type ToolsContent = z.infer<typeof ToolsContent>;
