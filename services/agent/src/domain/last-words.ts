import type { AnsweredCall } from '@nuqloud/contracts';
import { cutText } from '@nuqloud/platform';
import { phrasesFor } from './phrases';
import type { Shortfall } from './turn';

/** So much of what a tool found is shown when no model is there to word it. */
const SHOWN_CHARACTERS = 1_500;

/**
 * The answer when the model has none: what happened, what to do, and the last thing that was
 * found. That stands in a code block, because file contents could otherwise form links or mentions.
 */
export const lastWords = (language: string, shortfall: Shortfall, found: readonly AnsweredCall[]): string => {
  const phrases = phrasesFor(language);
  const reason = {
    'model-down': phrases.modelDown,
    'model-busy': phrases.modelBusy,
    'model-refused': phrases.modelRefused,
    'too-long': phrases.modelTooLong,
    filtered: phrases.modelFiltered,
    'written-call': phrases.writtenCall,
    budget: phrases.budgetUsedUp,
    time: phrases.timeUsedUp,
    empty: phrases.emptyAnswer,
  }[shortfall];
  const last = found.filter(({ isError }) => !isError).at(-1);
  if (!last) return reason;
  return `${reason}\n\n${phrases.facts}\n${fenced(cutText(last.text, SHOWN_CHARACTERS))}`;
};

/** A fence longer than any run of backticks inside cannot be closed from within. */
const fenced = (text: string): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
};
