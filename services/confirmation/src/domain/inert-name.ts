import { visibleText } from '@nuqloud/platform';

/** WORD JOINER: takes no room, so what is read stays the same. */
const JOINER = '\u2060';

/** What people can take in of one name; characters (code points). */
export const LONGEST_NAME = 200;

/** Lines and columns of a longer text. */
const LAYOUT = /[\t\n\v\f\r\p{Zl}\p{Zp}\p{Zs}]+/gu;

/** Marks that pile up on one letter reach into the lines above and below. */
const PILED_MARKS = /(\p{M}{3})\p{M}+/gu;

/** Letters that are written from right to left, and would turn what stands after them. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/u;

/** What could be read as the end of the name, or as words of the prompt. */
const UNUSUAL = /[^\p{L}\p{M}\p{N}/._\- ]|\.\s/u;

const MARKUP = /[\\`*[\]<>~|#&!{}$^=]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

/**
 * A name of a file, a person or a source, which anybody may have chosen, as text that is nothing but that name: one
 * line, no markup, no mention, no link, nothing that cannot be seen, not longer than can be read, and in quotation marks
 * where it could be taken for words of ours.
 * @param quote puts quotation marks around; the name cannot close them
 */
export const inertName = (name: string, quote: (name: string) => string, longest = LONGEST_NAME): string => {
  const shown = shorten(visible(name), longest);
  const inert = escaped(shown);
  return UNUSUAL.test(shown) ? quote(isolated(inert, shown)) : isolated(inert, shown);
};

/** Always in quotation marks. */
export const inertValue = (value: string, quote: (name: string) => string, longest: number): string => {
  const shown = shorten(visible(value.replace(LAYOUT, ' ').trim()), longest);
  return quote(isolated(escaped(shown), shown));
};

const visible = (name: string): string => {
  const seen = visibleText(name)
    .replace(/[“”„‟«»‹›]/gu, '"')
    .replace(PILED_MARKS, '$1');
  return seen === '' ? '…' : seen;
};

/** The beginning and the end tell a path best. */
const shorten = (name: string, longest: number): string => {
  const characters = [...name];
  if (characters.length <= longest) return name;
  const half = Math.floor((longest - 1) / 2);
  return `${characters.slice(0, half).join('')}…${characters.slice(-half).join('')}`;
};

const escaped = (name: string): string =>
  name
    .replace(MARKUP, '\\$&')
    .replace(/@/g, `@${JOINER}`)
    .replace(/:\/\//g, `:${JOINER}//`)
    .replace(/\bwww\./gi, (www) => `${www.slice(0, -1)}${JOINER}.`);

const isolated = (inert: string, shown: string): string =>
  RIGHT_TO_LEFT.test(shown) ? `\u2068${inert}\u2069` : inert;
