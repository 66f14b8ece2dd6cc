import type { EffectFact, PlannedEffect } from '@nuqloud/contracts';
import { canonicalJson, cutText } from '@nuqloud/platform';

/** A person reads all of them; a file's whole new content helps nobody to decide. */
const SHOWN_VALUE = 300;
const SHOWN_ARGUMENTS = 20;

/** The effect of a call that is known by its tool and arguments only. */
export const effectOfCall = (label: string, args: Readonly<Record<string, unknown>>): PlannedEffect => ({
  verb: 'call',
  target: label,
  facts: Object.entries(args)
    .slice(0, SHOWN_ARGUMENTS)
    .map(([name, value]) => ({ kind: 'argument', name, value: shown(value) })),
});

/** The effect, with where the instruction may have come from. */
export const withSources = (effect: PlannedEffect, taint: readonly string[]): PlannedEffect => ({
  ...effect,
  facts: [...effect.facts, ...taint.map((name): EffectFact => ({ kind: 'source', name }))],
});

const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : canonicalJson(value);
  return text.length > SHOWN_VALUE ? `${cutText(text, SHOWN_VALUE - 1)}…` : text;
};
