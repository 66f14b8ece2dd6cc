import type { ActionReport, AnsweredCall, ToolResult } from '@nuqloud/contracts';
import { MAX_RESULT_CHARACTERS } from '@nuqloud/contracts';
import { cutText, storableText, visibleText } from '@nuqloud/platform';
import { asCode } from './as-code';
import { phrasesFor } from './phrases';

/** What became of the approved actions, one line each: from receipts and outcomes, never from a model. */
export const reportText = (language: string, reports: readonly ActionReport[]): string => {
  if (reports.length === 0) return phrasesFor(language).interrupted;
  const lines = reports.map((report) => lineOf(language, report));
  return lines.length === 1
    ? (lines[0] ?? '')
    : lines.map((line, index) => `${index + 1}. ${line}`).join('\n');
};

const lineOf = (language: string, { state, title, text }: ActionReport): string => {
  const phrases = phrasesFor(language);
  switch (state) {
    case 'done':
      return phrases.done(title);
    case 'failed':
      return phrases.notDone(title, text);
    case 'unknown':
      return phrases.maybeDone(title);
    case 'lapsed':
      return phrases.lapsed(title);
  }
};

/** The text of a result, within the cap, whatever its provider sent. */
export const resultText = ({ content }: ToolResult): string => {
  const text = storableText(content.map((part) => part.text).join('\n'));
  if (text.length <= MAX_RESULT_CHARACTERS) return text;
  return `${cutText(text, MAX_RESULT_CHARACTERS - CUT_OFF.length)}${CUT_OFF}`;
};

const CUT_OFF = '\n[cut off]';

/** What the rest of a batch came to, before the person is asked about the remainder; undefined where nothing is to say. */
export const besidesPrompt = (
  language: string,
  answers: readonly AnsweredCall[],
  isWrite: (tool: string) => boolean,
): string | undefined => {
  const phrases = phrasesFor(language);
  const lines = answers.flatMap((answer) => {
    if (answer.receipt)
      return [phrases.done(asCode(`${answer.name}: ${visibleText(answer.receipt.target)}`))];
    if (answer.isError && isWrite(answer.name)) {
      return [phrases.notDone(answer.name, asCode(singleLine(answer.text)))];
    }
    return [];
  });
  return lines.length > 0 ? lines.join('\n') : undefined;
};

const singleLine = (text: string): string =>
  visibleText(
    text
      .replace(/^Error: /, '')
      .replaceAll('`', "'")
      .replace(/\s+/gu, ' ')
      .trim(),
  );
