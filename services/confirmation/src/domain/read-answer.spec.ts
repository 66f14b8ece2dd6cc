import fc from 'fast-check';
import { AFFIRMATIVES, NEGATIVES, PLEASE, THANKS } from './answer-words';
import { isAffirmativeEmoji, readAnswer } from './read-answer';

const NUQ = { slug: 'nuq', name: 'NuQ Helper', triggers: ['@nuq', 'nuq', 'hey nuq'] };
const CODE = 'K7F';
const read = (text: string) => readAnswer(text, NUQ, CODE);
const yes = { meaning: 'yes', withCode: false };
const no = { meaning: 'no', withCode: false };

describe('a "yes"', () => {
  it.each(Object.entries(AFFIRMATIVES).flatMap(([language, words]) => words.map((word) => [language, word])))(
    'in %s is %j',
    (_language, word) => {
      expect(read(word)).toEqual(yes);
    },
  );

  it.each([
    ['case', 'YES'],
    ['punctuation', ' Yes!! '],
    ['several lines', 'yes\n\nplease'],
    ['politeness', 'ja, bitte.'],
    ['politeness in French', 'Oui, s’il te plaît !'],
    ['politeness in Spanish', '¡Sí, por favor!'],
    ['missing accents', 'si'],
    ['missing accents in Polish', 'zrob to'],
    ['combining accents', 'si\u0301'],
    ['full-width letters', 'ｙｅｓ'],
    ['markup copied from the prompt', '*yes*'],
    ['two ways of saying it', 'yes, go ahead'],
    ['an emoji after it', 'ok 👍🏽'],
    ['a friendly emoji after it', 'ja 🙂'],
    ['a thumb', '👍'],
    ['a thumb with a skin tone', '👍🏿'],
    ['a tick with a variation selector', '✔️'],
    ['a byte order mark', '\uFEFFyes'],
    ['a direction mark', 'yes\u200F'],
    ['the name of the bot', '@nuq yes'],
    ['the name of the bot and a colon', 'NuQ Helper: yes'],
    ['a trigger of two words', 'Hey nuq, ja'],
    ['the name without its mark', 'nuq – oui'],
  ])('is one with %s', (_what, text) => {
    expect(read(text)).toEqual(yes);
  });

  it.each([
    'yes?',
    'ok?',
    '¿sí?',
    'yes but not the folder',
    'yes no',
    'ok, no',
    '👍👎',
    'yes 👎',
    'no 👍',
    'ja ja',
    'ok thanks',
    'ja danke',
    'please',
    'bitte',
    'thanks',
    '🙂',
    '❤️',
    'oh yes it rained all day',
    'yesterday',
    'okay then let us talk about Paris',
    '> yes',
    '"yes"',
    '“ja”',
    '`yes`',
    'y',
    'já',
    'уes',
    'no\u0301n',
    'nuq',
    '@nuq',
    'nuqyes',
    'yes nuq yes',
    'bob yes',
    '@bob yes',
    '',
    ' ',
    '...',
    `yes${' '.repeat(300)}`,
  ])('is none in %j', (text) => {
    expect(read(text)?.meaning).not.toBe('yes');
  });
});

describe('a "no"', () => {
  it.each(Object.entries(NEGATIVES).flatMap(([language, words]) => words.map((word) => [language, word])))(
    'in %s is %j',
    (_language, word) => {
      expect(read(word)).toEqual(no);
    },
  );

  it.each([
    'NO!',
    'nein, danke',
    'no thank you',
    'não, obrigado',
    'stop please',
    'non merci 🙏',
    '👎🏼',
    '@nuq no',
  ])('is %j', (text) => {
    expect(read(text)).toEqual(no);
  });

  it.each(['no problem', 'no?', 'nobody', 'not now but later', 'non-stop music'])('is none in %j', (text) => {
    expect(read(text)).toBeUndefined();
  });
});

describe('the code', () => {
  it.each([
    'yes K7F',
    'K7F yes',
    'yes k7f',
    'yes (K7F)',
    'Yes, please: K7F!',
    '@nuq yes K7F',
    '(K7F) ok',
    '👍 K7F',
  ])('names the prompt in %j', (text) => {
    expect(read(text)).toEqual({ meaning: 'yes', withCode: true });
  });

  it('names it in a "no" as well', () => {
    expect(read('nein K7F')).toEqual({ meaning: 'no', withCode: true });
  });

  it.each([
    'K7F',
    '(K7F)',
    '@nuq K7F',
    'yes K7E',
    'yes K7FF',
    'yes K7F K7F',
    'yes K7F now',
    'yes K7F?',
    'K7F K7F',
  ])('says nothing in %j', (text) => {
    expect(read(text)).toBeUndefined();
  });
});

it('no word means both', () => {
  const negatives = new Set(Object.values(NEGATIVES).flat());
  expect(
    Object.values(AFFIRMATIVES)
      .flat()
      .filter((word) => negatives.has(word)),
  ).toEqual([]);
});

it.each([...PLEASE, ...THANKS])('%j alone answers nothing', (word) => {
  expect(read(word)).toBeUndefined();
});

it('a bot whose name is a "yes" or a "no" can still be answered', () => {
  const bot = { slug: 'ja', name: 'No', triggers: ['ok'] };
  expect(readAnswer('ja', bot, CODE)?.meaning).toBe('yes');
  expect(readAnswer('ok nein', bot, CODE)?.meaning).toBe('no');
  expect(readAnswer('no', bot, CODE)?.meaning).toBe('no');
});

it('a "yes" with any other word in it is none', () => {
  const word = fc.stringMatching(/^[a-z]{1,12}$/).filter((text) => read(text) === undefined);
  const polite = new Set([...PLEASE, ...THANKS, 'nuq']);
  fc.assert(
    fc.property(
      word,
      fc.constantFrom(...Object.values(AFFIRMATIVES).flat()),
      fc.boolean(),
      (other, said, before) => {
        fc.pre(!polite.has(other) && read(`${said} ${other}`) === undefined);
        expect(read(before ? `${other} ${said}` : `${said} ${other} ${said}`)).toBeUndefined();
      },
    ),
  );
});

it('reading never fails, and a text that asks is never an answer', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const answer = read(text);
      expect(answer === undefined || !text.includes('?')).toBe(true);
    }),
  );
});

it.each(['👍', '👍🏻', '👌', '✅', '✔️'])('%s as a reaction agrees', (emoji) => {
  expect(isAffirmativeEmoji(emoji)).toBe(true);
});

it.each(['👎', '❤️', '👀', 'yes', '👍👍', ''])('%j as a reaction does not', (emoji) => {
  expect(isAffirmativeEmoji(emoji)).toBe(false);
});

it('takes the Greek question mark for one', () => {
  expect(readAnswer('yes\u037E', { slug: 'nuq', name: 'NuQ', triggers: [] }, 'K7F')).toBeUndefined();
});
