import type { ToolResult } from '@nuqloud/contracts';
import type { ToolAnswer } from '../define/define-tool';

/** An answer within the tool's cap; what is left out is counted, with how to get it. */
export const resultOf = (answer: ToolAnswer, maxCharacters: number): ToolResult => ({
  ...textResult(fitText(answer, maxCharacters), false),
  ...(answer.receipt && { receipt: answer.receipt }),
  ...(answer.foreign !== undefined && { foreign: answer.foreign }),
});

export const failedResult = (message: string, maxCharacters: number): ToolResult =>
  textResult(fitText({ text: message }, maxCharacters), true);

const textResult = (text: string, isError: boolean): ToolResult => ({
  content: [{ type: 'text', text }],
  isError,
});

/** Cuts between characters, never inside a surrogate pair. Characters are counted as the contract does, in UTF-16. */
export const fitText = ({ text, rest }: Pick<ToolAnswer, 'text' | 'rest'>, max: number): string => {
  if (text.length <= max) return text;
  const note = (left: number) =>
    `\n\n[${left} more characters were left out. ${rest ?? 'Ask for a smaller part.'}]`;
  const room = max - note(text.length).length;
  if (room <= 0) return cut(text, max);
  const kept = cut(text, room);
  return kept + note(text.length - kept.length);
};

const cut = (text: string, length: number): string => {
  const splitsPair = /[\ud800-\udbff]/.test(text.charAt(length - 1));
  return text.slice(0, splitsPair ? length - 1 : length);
};
