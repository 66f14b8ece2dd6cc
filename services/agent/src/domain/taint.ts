import type { AnsweredCall, TurnStep } from '@nuqloud/contracts';
import { singleLine } from '@nuqloud/platform';
import type { RememberedEntry } from './prompt';
import { answersOf } from './turn';

/** More sources than these are not named: one is enough to be careful. */
const NAMED_SOURCES = 5;
const SOURCE_CHARACTERS = 300;
const NAMELESS = '?';

export interface BeforeTheModel {
  /** Name of the person whose turn it is. */
  readonly self: string;
  readonly remembered: readonly RememberedEntry[];
  /** A quoted message that is not the person's own; the name of its writer. */
  readonly quotedFrom: string | undefined;
  /** Names of files shared with the message: whoever may rename a file there can write them. */
  readonly attached: readonly string[];
  readonly steps: readonly TurnStep[];
}

/**
 * Where content came from that others than the person could write and that the model has before it in this turn.
 * Empty: whatever the model does now, it was the person who asked for it.
 */
export const taintSources = ({ self, remembered, quotedFrom, attached, steps }: BeforeTheModel): string[] => {
  const sources = [
    ...(quotedFrom === undefined ? [] : [quotedFrom]),
    ...attached,
    ...answersOf(steps).flatMap(sourceOf),
    ...remembered.flatMap((entry) => sourcesOfEntry(entry, self)),
  ];
  // A guest need not have a name; a source without one is a source all the same.
  const named = sources.map((name) => singleLine(name, SOURCE_CHARACTERS) || NAMELESS);
  return [...new Set(named)].slice(0, NAMED_SOURCES);
};

const sourceOf = ({ foreign }: AnsweredCall): string[] => (foreign === undefined ? [] : [foreign]);

const sourcesOfEntry = (entry: RememberedEntry, self: string): string[] => {
  if (entry.kind === 'tools') return entry.answers.flatMap(sourceOf);
  if (entry.own) return [...entry.foreign];
  if (entry.role === 'person') return [entry.name];
  // What the bot told somebody else may hold what only they could read; to them the person may be a source.
  const others = entry.foreign.filter((name) => name !== self);
  return others.length > 0 ? others : [entry.name];
};
