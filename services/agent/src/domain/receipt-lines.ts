import type { TurnStep } from '@nuqloud/contracts';
import { visibleText } from '@nuqloud/platform';
import { asCode } from './as-code';
import { phrasesFor } from './phrases';

/** Begins a line that only code writes, from a receipt. */
const MARK = '☑';
/** What a model writes in its place. */
const LOOKALIKE = '✓';

/**
 * A model's answer as it is posted: with a line for everything that was really changed in the turn. A model that claims
 * more is not believed, because it cannot write such a line.
 */
export const withReceipts = (language: string, text: string, steps: readonly TurnStep[]): string => {
  const phrases = phrasesFor(language);
  const lines = steps.flatMap((step) =>
    step.kind === 'tools'
      ? (step.result?.answers ?? []).flatMap(({ name, receipt }) =>
          receipt ? [`${MARK} ${phrases.done(asCode(`${name}: ${visibleText(receipt.target)}`))}`] : [],
        )
      : [],
  );
  const prose = text.replaceAll(MARK, LOOKALIKE);
  return lines.length === 0 ? prose : `${prose}\n\n${[...new Set(lines)].join('\n')}`;
};
