import { parseFilePath } from '@nuqloud/nextcloud';
import { z } from 'zod';

/** A path as the model writes it, checked and in its one form. */
export const pathArgument = (description: string) =>
  z
    .string()
    .transform((text, context) => {
      const parsed = parseFilePath(text);
      if (parsed.ok) return parsed.path;
      context.addIssue({ code: 'custom', message: parsed.reason });
      return z.NEVER;
    })
    .describe(description);
