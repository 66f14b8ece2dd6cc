import type { AnsweredCall, TurnStep } from '@nuqloud/contracts';
import { cutText } from '@nuqloud/platform';
import type { RememberedEntry } from './prompt';
import { entryTokens } from './prompt';

/** Estimated tokens of earlier conversation that a prompt may hold. */
export const MEMORY_TOKENS = 8_000;
/** A result is remembered shorter than it was used: later turns can look again. */
const REMEMBERED_RESULT = 2_000;

export interface StoredEntry {
  readonly entry: RememberedEntry;
  readonly tokens: number;
}

/** The newest entries that fit the budget, oldest first. */
export const withinBudget = (newestFirst: readonly StoredEntry[], budget: number): RememberedEntry[] => {
  const kept: RememberedEntry[] = [];
  let left = budget;
  for (const { entry, tokens } of newestFirst) {
    if (tokens > left) {
      // One long result is left out; what was said before it may still fit.
      if (entry.kind === 'tools') continue;
      break;
    }
    left -= tokens;
    kept.push(entry);
  }
  return kept.reverse();
};

/** What a turn leaves behind of its tools, one entry per batch. */
export const toolEntries = (steps: readonly TurnStep[]): StoredEntry[] =>
  steps.flatMap((step) => {
    if (step.kind !== 'tools' || !step.result) return [];
    return [
      stored({ kind: 'tools', calls: step.request.calls, answers: step.result.answers.map(remembered) }),
    ];
  });

export const stored = (entry: RememberedEntry): StoredEntry => ({ entry, tokens: entryTokens(entry) });

/** Only what a model may read again: the plan of a proposal is a token, and a receipt is kept where it can be undone. */
const remembered = ({ id, name, text, isError, foreign }: AnsweredCall): AnsweredCall => ({
  id,
  name,
  text: shortened(text),
  isError,
  ...(foreign !== undefined && { foreign }),
});

const shortened = (text: string): string =>
  text.length <= REMEMBERED_RESULT
    ? text
    : `${cutText(text, REMEMBERED_RESULT)}\n[shortened; call the tool again for the rest]`;
