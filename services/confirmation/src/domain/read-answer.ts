import {
  AFFIRMATIVE_EMOJI,
  AFFIRMATIVES,
  FRIENDLY_EMOJI,
  NEGATIVE_EMOJI,
  NEGATIVES,
  PLEASE,
  THANKS,
} from './answer-words';

/** How a bot is called. */
export interface BotNames {
  readonly slug: string;
  readonly name: string;
  readonly triggers: readonly string[];
}

export interface ReadAnswer {
  readonly meaning: 'yes' | 'no';
  /** Whether it names the prompt by its code. */
  readonly withCode: boolean;
}

/** Longer texts are no answers, whatever they begin with. */
const LONGEST_ANSWER = 200;

/**
 * Reads a whole text as a "yes" or a "no". It is one only where nothing else is said: a leading name of the bot, case,
 * punctuation, invisible characters, variation selectors and skin tones apart. A question is never an answer.
 * @param code of the open prompt; the code alone says nothing
 */
export const readAnswer = (text: string, bot: BotNames, code: string): ReadAnswer | undefined => {
  if (text.length > LONGEST_ANSWER) return undefined;
  const plain = withoutInvisible(text);
  for (const words of [wordsOf(plain), wordsOf(withoutLeadingName(plain, bot))]) {
    const { rest, withCode } = takeCode(words, code.toLowerCase());
    const meaning = meaningOf(rest);
    if (meaning) return { meaning, withCode };
  }
  return undefined;
};

/** Whether an emoji agrees. */
export const isAffirmativeEmoji = (reaction: string): boolean =>
  AFFIRMATIVE_EMOJI.includes(withoutInvisible(reaction).trim());

/** Compatibility forms (full-width letters) become plain; what cannot be seen goes, and with it emoji variants. */
const withoutInvisible = (text: string): string =>
  text
    // The Greek question mark, which a compatibility form would turn into a semicolon.
    .replaceAll('\u037E', '?')
    .normalize('NFKC')
    .replace(/[\p{Cf}\u{FE00}-\u{FE0F}\u{1F3FB}-\u{1F3FF}]/gu, '')
    .toLowerCase();

/** Longest first, so that "@nuq" is taken whole before "nuq". */
const withoutLeadingName = (text: string, { slug, name, triggers }: BotNames): string => {
  const names = [`@${slug}`, `@${name}`, name, ...triggers]
    .map((candidate) => withoutInvisible(candidate).trim())
    .filter((candidate) => candidate !== '')
    .sort((a, b) => b.length - a.length);
  const trimmed = text.trimStart();
  const called = names.find(
    (candidate) =>
      trimmed.startsWith(candidate) && !/^[\p{L}\p{N}_@-]/u.test(trimmed.slice(candidate.length)),
  );
  return called === undefined ? '' : trimmed.slice(called.length);
};

const EMOJI = new Set([...AFFIRMATIVE_EMOJI, ...NEGATIVE_EMOJI, ...FRIENDLY_EMOJI]);

/** Question marks and quotation marks stay, and so nothing with them is an answer. */
const wordsOf = (text: string): string[] =>
  [...text.replace(/\(\s*([a-z0-9]{3})\s*\)/g, ' $1 ')]
    .map((character) => (EMOJI.has(character) ? ` ${character} ` : character))
    .join('')
    .replace(/[’‘ʼ]/g, "'")
    .replace(/[.,!¡;:·*_–—-]/g, ' ')
    .split(/\s+/u)
    .filter((word) => word !== '');

const takeCode = (words: readonly string[], code: string): { rest: readonly string[]; withCode: boolean } => {
  if (words[0] === code) return { rest: words.slice(1), withCode: true };
  if (words.at(-1) === code) return { rest: words.slice(0, -1), withCode: true };
  return { rest: words, withCode: false };
};

/** As written well, and without accents: only words of the list lose them ("já" is not "ja"). */
const phrases = (...lists: readonly (readonly string[])[]): ReadonlySet<string> =>
  new Set(
    lists.flat().flatMap((phrase) => {
      const words = wordsOf(phrase.normalize('NFKC')).join(' ');
      return [words, words.normalize('NFD').replace(/\p{M}/gu, '')];
    }),
  );

const YES = phrases(...Object.values(AFFIRMATIVES));
const NO = phrases(...Object.values(NEGATIVES));
const POLITE = phrases(PLEASE);
const GRATEFUL = phrases(THANKS);

const meaningOf = (words: readonly string[]): 'yes' | 'no' | undefined => {
  const spoken = words.filter((word) => !EMOJI.has(word));
  const emoji = words.filter((word) => EMOJI.has(word) && !FRIENDLY_EMOJI.includes(word));
  const said = [
    ...(spoken.length > 0 ? [meaningOfWords(spoken)] : []),
    ...emoji.map((one) => (AFFIRMATIVE_EMOJI.includes(one) ? ('yes' as const) : ('no' as const))),
  ];
  const [meaning] = said;
  return said.every((one) => one === meaning) ? meaning : undefined;
};

const meaningOfWords = (words: readonly string[]): 'yes' | 'no' | undefined => {
  if (isSaid(withoutEnding(words, POLITE), YES)) return 'yes';
  if (isSaid(withoutEnding(withoutEnding(words, GRATEFUL), POLITE), NO)) return 'no';
  return undefined;
};

const withoutEnding = (words: readonly string[], endings: ReadonlySet<string>): readonly string[] => {
  const at = words.findIndex((_word, index) => index > 0 && endings.has(words.slice(index).join(' ')));
  return at === -1 ? words : words.slice(0, at);
};

/** One phrase of the list, or two different ones ("yes, go ahead"). "Ja, ja" is said by those who do not mean it. */
const isSaid = (words: readonly string[], list: ReadonlySet<string>): boolean =>
  list.has(words.join(' ')) ||
  words.some((_word, index) => {
    const [first, second] = [words.slice(0, index).join(' '), words.slice(index).join(' ')];
    return index > 0 && first !== second && list.has(first) && list.has(second);
  });
