import { z } from 'zod';

/** Characters. What waits for a "yes" is stored and sent as a whole. */
const MAX_CONTENT = 100_000;

/** Text for a file, as it is going to stand there. */
export const contentArgument = () =>
  z
    .string()
    .max(MAX_CONTENT)
    .refine((text) => text.isWellFormed() && !text.includes('\0'), { error: 'must be valid text' });

export const revisionArgument = () =>
  z.string().min(1).max(255).optional().describe('From files_info; refused if it changed');
