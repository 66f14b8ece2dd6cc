/** Look and sound like nothing else: no 0/O, 1/I/L, 2/Z, 5/S, 6/G, 8/B. */
const LETTERS = 'ACDEFHJKMNPRTUVWXY';
const DIGITS = '3479';

/** Tries before all codes are gone through in order. */
const TRIES = 50;

/**
 * A code such as K7F: a digit between two letters, so that it is no word of any language.
 * @param random a whole number from 0 to below its argument
 * @param taken whether a code would be mistaken for something else
 * @returns undefined when every code is taken
 */
export const pickCode = (
  random: (below: number) => number,
  taken: (code: string) => boolean,
): string | undefined => {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const code = `${anyOf(LETTERS, random)}${anyOf(DIGITS, random)}${anyOf(LETTERS, random)}`;
    if (!taken(code)) return code;
  }
  return allCodes().find((code) => !taken(code));
};

const anyOf = (characters: string, random: (below: number) => number): string =>
  characters.charAt(random(characters.length));

const allCodes = (): string[] =>
  [...LETTERS].flatMap((first) =>
    [...DIGITS].flatMap((digit) => [...LETTERS].map((last) => `${first}${digit}${last}`)),
  );
