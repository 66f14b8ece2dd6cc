import type { EffectFact, PlannedEffect } from '@nuqloud/contracts';
import { inertName, inertValue } from './inert-name';
import type { Language, Phrases } from './phrases/phrases';
import { phrasesFor } from './phrases/phrases';

export interface Speech {
  readonly language: Language;
  /** IANA zone, or null for UTC. */
  readonly zone: string | null;
}

/** Characters (code points) of an argument's value that are shown. */
export const LONGEST_VALUE = 1_000;

/** The deed in one line, e.g. "Delete /Docs/plan.md". */
export const titleOf = (effect: PlannedEffect, language: Language): string => {
  const phrases = phrasesFor(language);
  return phrases.deed[effect.verb](inertName(effect.target, phrases.quote));
};

/** What else there is to know before one says "yes", as sentences. */
export const detailsOf = (effect: PlannedEffect, speech: Speech): string => {
  const phrases = phrasesFor(speech.language);
  const measures = effect.facts.flatMap((fact) => measure(fact, phrases, speech.language));
  const args = effect.facts.flatMap((fact) =>
    fact.kind === 'argument'
      ? [`${inertName(fact.name, phrases.quote)}: ${inertValue(fact.value, phrases.quote, LONGEST_VALUE)}`]
      : [],
  );
  return [
    sentence(measures.join(', ')),
    sentence(args.join('; ')),
    ...effect.facts.map((fact) => remark(fact, phrases, speech)),
  ]
    .filter((part) => part !== '')
    .join(' ');
};

/** One warning for all of it: where the instructions may have come from, if not from the person. */
export const sourcesOf = (effects: readonly PlannedEffect[], language: Language): string => {
  const phrases = phrasesFor(language);
  const names = effects.flatMap(({ facts }) =>
    facts.flatMap((fact) => (fact.kind === 'source' ? [inertName(fact.name, phrases.quote)] : [])),
  );
  return names.length === 0 ? '' : phrases.sources([...new Set(names)].join(', '));
};

const sentence = (text: string): string => (text === '' ? '' : `${upperFirst(text)}.`);

const upperFirst = (text: string): string => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

const measure = (fact: EffectFact, phrases: Phrases, language: Language): string[] => {
  switch (fact.kind) {
    case 'size':
      return [bytes(fact.bytes, phrases, language)];
    case 'contains':
      return [
        phrases.files(fact.files.toLocaleString(language), fact.files !== 1, fact.atLeast),
        ...(fact.bytes === null ? [] : [bytes(fact.bytes, phrases, language)]),
      ];
    case 'access':
      return [access(fact, phrases)];
    default:
      return [];
  }
};

const access = ({ names, more }: Extract<EffectFact, { kind: 'access' }>, phrases: Phrases): string => {
  const people = [
    ...names.map((name) => inertName(name, phrases.quote)),
    ...(more > 0 ? [phrases.more(more, names.length > 0)] : []),
  ];
  const last = people.pop();
  if (last === undefined) return phrases.nobodyElse;
  return phrases.canOpen(people.length === 0 ? last : `${people.join(', ')} ${phrases.and} ${last}`);
};

const remark = (fact: EffectFact, phrases: Phrases, speech: Speech): string => {
  switch (fact.kind) {
    case 'goes-to-trash':
      return phrases.toTrash;
    case 'not-all-seen':
      return phrases.notAllSeen;
    case 'is-final':
      return phrases.final;
    case 'keeps-version':
      return phrases.keepsVersion;
    case 'keeps-no-version':
      return phrases.keepsNoVersion;
    case 'version-of':
      return phrases.versionOf(dateIn(fact.at, speech));
    case 'stays-with':
      return phrases.staysWith(inertName(fact.name, phrases.quote));
    // Told elsewhere: among the measures, and once for the whole prompt.
    case 'source':
    case 'size':
    case 'contains':
    case 'access':
    case 'argument':
      return '';
  }
};

const bytes = (size: number, { units }: Phrases, language: Language): string => {
  const power = Math.min(units.length - 1, size < 1 ? 0 : Math.floor(Math.log2(size) / 10));
  const value = size / 1024 ** power;
  const shown = value.toLocaleString(language, { maximumFractionDigits: value < 10 && power > 0 ? 1 : 0 });
  return `${shown} ${units[power]}`;
};

const dateIn = (at: string, { language, zone }: Speech): string =>
  new Intl.DateTimeFormat(language, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: zone ?? 'UTC',
    ...(zone === null && { timeZoneName: 'short' }),
  }).format(new Date(at));
