import { AppError, errorCode } from './app-error';

/** What may be logged of a thrown value: its code, type and where it came from. */
export interface DescribedError {
  code: string;
  type: string;
  /** Stack frames without the first lines, which hold the message. */
  at?: string[];
}

const FRAMES = 6;

/**
 * Messages of foreign errors may quote file contents, chat text or credentials, so they
 * never reach a log. Our own AppErrors are expected and need no stack.
 */
export const describeError = (error: unknown): DescribedError => {
  const described = { code: errorCode(error), type: error instanceof Error ? error.name : typeof error };
  if (error instanceof AppError || !(error instanceof Error)) return described;
  const at = (error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, FRAMES)
    .map((line) => line.trim());
  return { ...described, at };
};
