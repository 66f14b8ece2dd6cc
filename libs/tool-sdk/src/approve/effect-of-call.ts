import type { EffectFact, PlannedEffect } from '@nuqloud/contracts';
import { canonicalJson, cutText } from '@nuqloud/platform';
import type { PreparedCall, Tool } from '../define/define-tool';
import { ToolFailure } from '../define/tool-failure';

/** A person reads all of them; a file's whole new content helps nobody to decide. */
const SHOWN_VALUE = 300;
const SHOWN_ARGUMENTS = 20;

/**
 * The effect of a call that is known by its tool and arguments only.
 * @throws ToolFailure for more arguments than a prompt shows
 */
export const effectOfCall = <Call>(
  { definition: { label, name: tool } }: Tool<Call>,
  { arguments: args }: PreparedCall<Call>,
): PlannedEffect => {
  const given = Object.entries(args);
  if (given.length > SHOWN_ARGUMENTS) {
    throw new ToolFailure(
      `${tool} was not run: it needs the person's "yes", and a prompt shows ${SHOWN_ARGUMENTS} arguments, not ${given.length}. Give fewer.`,
    );
  }
  return {
    verb: 'call',
    target: label ?? tool,
    facts: given.map(([name, value]) => ({ kind: 'argument', name, value: shown(value) })),
  };
};

/** The effect, with where the instruction may have come from. */
export const withSources = (effect: PlannedEffect, taint: readonly string[]): PlannedEffect => ({
  ...effect,
  facts: [...effect.facts, ...taint.map((name): EffectFact => ({ kind: 'source', name }))],
});

const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : canonicalJson(value);
  if (text.length <= SHOWN_VALUE) return text;
  const beginning = cutText(text, SHOWN_VALUE);
  return `${beginning}… (${text.length - beginning.length} more characters)`;
};
