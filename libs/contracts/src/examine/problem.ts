import { z } from 'zod';

/** What an examination found wrong, for the administrator. */
export const Problem = z.object({
  code: z.string().regex(/^[A-Z][A-Z0-9_.]{0,79}$/),
  /** What is wrong and what to do; no secret, no text that anybody wrote. */
  message: z.string().min(1).max(4_000),
});
export type Problem = z.infer<typeof Problem>;
