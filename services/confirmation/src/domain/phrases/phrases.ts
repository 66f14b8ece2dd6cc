import type { PlannedEffect } from '@nuqloud/contracts';
import { GERMAN } from './german';
import { ENGLISH } from './english';
import { FRENCH } from './french';

/** Languages in which people are asked. */
export type Language = 'en' | 'de' | 'fr';

/** `de_DE`, `de-CH` and `DE` are German; whatever is not known is asked in English. */
export const languageOf = (tag: string): Language => {
  const primary = tag.toLowerCase().split(/[-_]/)[0];
  return primary === 'de' || primary === 'fr' ? primary : 'en';
};

/** Everything that is said to people here. What is put in (names, numbers) is ready to be shown. */
export interface Phrases {
  /** The deed in one line without an end, e.g. "Delete /Docs/plan.md". */
  readonly deed: Readonly<Record<PlannedEffect['verb'], (target: string) => string>>;
  /** Makes a deed a question. */
  readonly question: (deed: string) => string;
  readonly severalQuestion: string;
  readonly units: readonly [string, string, string, string, string];
  readonly files: (count: string, plural: boolean, atLeast: boolean) => string;
  readonly canOpen: (people: string) => string;
  readonly more: (count: number, named: boolean) => string;
  readonly nobodyElse: string;
  readonly and: string;
  readonly toTrash: string;
  readonly notAllSeen: string;
  readonly final: string;
  readonly staysWith: (owner: string) => string;
  readonly keepsVersion: string;
  readonly keepsNoVersion: string;
  readonly versionOf: (when: string) => string;
  /** What others wrote and the model read before; several names are separated by commas. */
  readonly sources: (names: string) => string;
  readonly quote: (name: string) => string;
  readonly minutes: (minutes: number) => string;
  readonly seconds: (seconds: number) => string;
  readonly reply: (several: boolean, within: string) => string;
  readonly codeLine: (title: string, code: string) => string;
  readonly hint: (code: string) => string;
  readonly expired: (title: string) => string;
  readonly andMore: (title: string, more: number) => string;
  readonly outcomeUnknown: (title: string) => string;
}

const PHRASES: Readonly<Record<Language, Phrases>> = { en: ENGLISH, de: GERMAN, fr: FRENCH };

export const phrasesFor = (language: Language): Phrases => PHRASES[language];
