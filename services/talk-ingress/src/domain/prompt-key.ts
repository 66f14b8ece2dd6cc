import { PROMPT_KEY_PREFIX } from '@nuqloud/contracts';
import type { PostPromptRequest } from '@nuqloud/contracts';

/** The key of a prompt; those of further lines about it begin with it and a colon. */
export const promptKey = (confirmation: string): string => `${PROMPT_KEY_PREFIX}${confirmation}`;

/** Under which key a prompt, or a line about one, is stored once. */
export const keyOfPart = ({
  confirmation,
  part,
  cause,
}: Pick<PostPromptRequest, 'confirmation' | 'part' | 'cause'>): string => {
  if (part === 'prompt') return promptKey(confirmation);
  return [promptKey(confirmation), part, ...(cause === undefined ? [] : [cause])].join(':');
};

/** Whether what is stored under it counts as a prompt: only `confirmation` may say so. */
export const isPromptKey = (key: string): boolean => key.startsWith(PROMPT_KEY_PREFIX);
