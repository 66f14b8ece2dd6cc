import fc from 'fast-check';
import { inertMentions } from './inert-mentions';

/** What Nextcloud takes for a mention (nextcloud/server, Comment::getMentions), the widest of its versions. */
const MENTION =
  /\B@("(guest|email)\/[a-f0-9]+"|"(federated_)?(group|team|user)\/[a-z0-9_\-@.' /:]+"|"[a-z0-9_\-@.' ]+"|[a-z0-9_\-@.']+)/i;

const tricky = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '@',
        '@@',
        'all',
        'bob',
        '"',
        "'",
        '.',
        '-',
        '_',
        ' ',
        '\n',
        '`',
        '```',
        '(',
        '/',
        '\u2060',
        'é',
        '👍',
        '1',
      ),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

describe('inertMentions', () => {
  it.each([
    ['@bob', '@\u2060bob'],
    ['Hi @"guest/7f3a"!', 'Hi @\u2060"guest/7f3a"!'],
    ['(@all)', '(@\u2060all)'],
    ['```\n@bob\n```', '```\n@\u2060bob\n```'],
    ['@@bob', '@\u2060@\u2060bob'],
    ['bob.@carol', 'bob.@\u2060carol'],
  ])('breaks %j', (text, expected) => {
    expect(inertMentions(text)).toBe(expected);
    expect(text).toMatch(MENTION);
  });

  it.each(['alice@cloud.example', 'mail x_1@example.org now', '@ home', 'user @', 'a@', ''])(
    'leaves %j alone',
    (text) => {
      expect(inertMentions(text)).toBe(text);
    },
  );

  it.each([
    ['**Delete /Docs/plan.md?** 12 KB, Bob can also open it. Reply *yes* or *no* within 10 minutes. (K7F)'],
    ['1. **Delete /a.txt?** (final)\n2. **Overwrite /b.txt?**\n\nReply *yes* or *no*. (`A2Z`)'],
  ])('leaves a prompt without names of others as it is', (prompt) => {
    expect(inertMentions(prompt)).toBe(prompt);
  });

  it.each([
    ['**Delete /@all/plan.md?** (K7F)', '**Delete /@\u2060all/plan.md?** (K7F)'],
    ['**@bob** can also open it.', '**@\u2060bob** can also open it.'],
    ['Reply *yes*. (@K7F)', 'Reply *yes*. (@\u2060K7F)'],
    ['**/a@**', '**/a@**'],
    ['**Delete /@**', '**Delete /@\u2060**'],
  ])('keeps bold words and the code of %j together', (text, expected) => {
    const inert = inertMentions(text);
    expect(inert).toBe(expected);
    // Whoever folds what cannot be seen reads the prompt as it was composed.
    expect(inert.replace(/\p{Cf}/gu, '')).toBe(text);
    // No joiner stands where the run of asterisks opens: CommonMark decides by its neighbours.
    expect(inert).not.toMatch(/^\u2060|\s\u2060|\*\u2060/u);
  });

  it('leaves nothing that Nextcloud takes for a mention', () => {
    fc.assert(
      fc.property(tricky, (text) => expect(inertMentions(text)).not.toMatch(MENTION)),
      { numRuns: 2_000 },
    );
  });

  it('adds nothing but word joiners, and none the second time', () => {
    fc.assert(
      fc.property(tricky, (text) => {
        const inert = inertMentions(text);
        expect(inert.replaceAll('\u2060', '')).toBe(text.replaceAll('\u2060', ''));
        expect(inertMentions(inert)).toBe(inert);
      }),
    );
  });
});
