import fc from 'fast-check';
import { composeParts } from './compose-parts';
import { cutMessage, PART_LIMIT, splitMessage } from './split-message';

const LIMIT = 600;

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
const isBoundary = (text: string, at: number): boolean =>
  at === text.length || segmenter.segment(text).containing(at)?.index === at;

/** Text as models write it: words, paragraphs, code, emoji, and lines without an end. */
const markdown = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\n',
        '\n\n',
        '. ',
        ' ',
        '```ts\n',
        '```\n',
        '~~~\n',
        '  ```\n',
        '````md\n',
        '# ',
        '- ',
        '👩‍👩‍👧‍👦',
        '🇩🇪',
        'e\u0301',
        '。',
      ),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.nat({ max: 900 }).map((n) => 'word '.repeat(n / 5)),
      fc.nat({ max: 1_500 }).map((n) => 'x'.repeat(n)),
      fc.nat({ max: 300 }).map((n) => '👍🏽'.repeat(n)),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

const fenceLines = (text: string) => text.split('\n').filter((line) => /^\s*(```|~~~)/.test(line));

describe('splitMessage', () => {
  it('leaves a short text as it is', () => {
    expect(splitMessage('Hello\n\n```js\n1\n```\n')).toEqual(['Hello\n\n```js\n1\n```\n']);
  });

  it('has nothing to say for a blank text', () => {
    expect(splitMessage(' \n\t')).toEqual([]);
    expect(splitMessage('')).toEqual([]);
  });

  it('cuts between paragraphs rather than lines, lines rather than sentences', () => {
    const line = `${'a'.repeat(98)}.\n`;
    const [first] = splitMessage(`${line.repeat(3)}\n${line.repeat(20)}`, LIMIT);
    expect(first).toBe(`${line.repeat(3)}\n`);
    const [second] = splitMessage(`${'a. '.repeat(90)}\n${'b. '.repeat(400)}`, LIMIT);
    expect(second).toBe(`${'a. '.repeat(90)}\n`);
  });

  it.each([
    ['sentences', 'One two three. ', /\. $/],
    ['Chinese sentences', '一二三四五。', /。$/],
    ['words', 'word ', / $/],
  ])('cuts one long line between %s', (_what, unit, end) => {
    const parts = splitMessage(unit.repeat(400), LIMIT);
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) expect(part).toMatch(end);
  });

  it('closes a code block that it cuts, and opens it again with its language', () => {
    const code = `${'line();\n'.repeat(150)}`;
    const parts = splitMessage(`Look:\n\n~~~ts title=x\n${code}~~~\n\nDone.`, LIMIT);
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts) expect(fenceLines(part).length % 2).toBe(0);
    for (const part of parts.slice(1)) expect(part.startsWith('~~~ts title=x\nline();\n')).toBe(true);
    for (const part of parts.slice(0, -1)) expect(part.endsWith('line();\n~~~')).toBe(true);
    const content = parts
      .join('\n')
      .split('\n')
      .filter((line) => line === 'line();');
    expect(content).toHaveLength(150);
  });

  it('does not take a shorter or different fence for the end of a block', () => {
    const parts = splitMessage(`\`\`\`\`md\n\`\`\`\n~~~\n${'text\n'.repeat(300)}\`\`\`\`\n`, LIMIT);
    for (const part of parts) expect(part.startsWith('````md\n')).toBe(true);
  });

  it('cuts before a code block rather than in it', () => {
    const text = `${'word '.repeat(70)}\n\`\`\`js\n${'code();\n'.repeat(20)}\`\`\`\n${'more '.repeat(60)}`;
    const [first, second] = splitMessage(text, LIMIT);
    expect(first).toBe(`${'word '.repeat(70)}\n`);
    expect(second?.startsWith('```js\n')).toBe(true);
  });

  it('takes a fence that nobody could mean for text', () => {
    const parts = splitMessage('`'.repeat(3_000), LIMIT);
    expect(parts.join('')).toBe('`'.repeat(3_000));
  });

  it('cuts a code block of one endless line', () => {
    const parts = splitMessage(`\`\`\`\n${'x'.repeat(2_000)}\n\`\`\``, LIMIT);
    for (const part of parts) expect(part).toMatch(/^```\nx+\n```$/);
  });

  it('cuts what has no character boundary at a code point', () => {
    const parts = splitMessage(`👍${'\u{1F3FD}'.repeat(2_000)}`, LIMIT);
    for (const part of parts) expect(part).not.toMatch(/\p{Surrogate}/u);
  });

  it('keeps every part within the limit, whole characters, and the whole text', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const pieces = cutMessage(text, LIMIT);
        expect(pieces.map(({ body }) => body).join('')).toBe(text);
        let at = 0;
        for (const { opening, body, closing } of pieces) {
          expect((opening + body + closing).length).toBeLessThanOrEqual(LIMIT);
          at += body.length;
          expect(isBoundary(text, at)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('opens again exactly the block that it closed', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const pieces = cutMessage(text, LIMIT);
        pieces.forEach(({ closing }, index) => {
          const opening = pieces[index + 1]?.opening ?? '';
          expect(opening.trimStart().startsWith(closing.trim())).toBe(true);
          expect(opening === '').toBe(closing === '');
        });
      }),
      { numRuns: 300 },
    );
  });

  it('splits the longest post that is accepted quickly enough to answer in time', () => {
    for (const unit of ['a\n', '\n', '.', ' ', '`', '```\n', '@', '👍🏽', '. '])
      expect(
        splitMessage(unit.repeat(200_000 / unit.length)).every((part) => part.length <= PART_LIMIT),
      ).toBe(true);
  });
});

describe('composeParts', () => {
  it('replies with the first part only', () => {
    const parts = composeParts({ type: 'message', text: 'word '.repeat(8_000), replyTo: '7', silent: true });
    expect(parts).toHaveLength(3);
    expect(parts.map((part) => part.type === 'message' && part.replyTo)).toEqual(['7', undefined, undefined]);
    expect(parts.every((part) => part.type === 'message' && part.silent)).toBe(true);
  });

  it('leaves no mention at a cut either', () => {
    // The cut falls between the letter and the @, which before it was part of an address.
    const text = `${'x'.repeat(PART_LIMIT - 101)}@bob${'y'.repeat(1_000)}`;
    const parts = composeParts({ type: 'message', text });
    const [, second] = parts;
    expect(second).toEqual({ type: 'message', text: expect.stringMatching(/^@\u2060bob/) });
  });

  it('drops what neither Talk nor a database takes', () => {
    expect(composeParts({ type: 'message', text: 'a\0\ud83d' })).toEqual([
      { type: 'message', text: 'a\uFFFD' },
    ]);
    expect(composeParts({ type: 'message', text: ' \0 ' })).toEqual([]);
  });

  it('hands reactions on', () => {
    const post = { type: 'reaction_add', messageId: '7', reaction: '👀' } as const;
    expect(composeParts(post)).toEqual([post]);
  });
});
