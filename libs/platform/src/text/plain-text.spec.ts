import fc from 'fast-check';
import { cutText, singleLine, storableText, wholeCharacters } from './plain-text';

/** Any sequence of UTF-16 units, half characters included. */
const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
});

/** Half a character does not survive the way through UTF-8. */
const isUtf8 = (text: string): boolean => Buffer.from(text).toString() === text;

describe('storableText', () => {
  it('leaves nothing that PostgreSQL or UTF-8 cannot hold', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const stored = storableText(text);
        expect(stored).not.toContain('\0');
        expect(isUtf8(stored)).toBe(true);
      }),
    );
  });

  it('changes no text that can be stored', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const storable = text.replaceAll('\0', '');
        expect(storableText(storable)).toBe(storable);
      }),
    );
  });

  it('shows half a character as the replacement character', () => {
    expect(storableText('a\ud83db\0c👀')).toBe('a\ufffdbc👀');
  });
});

describe('cutText', () => {
  it('cuts before a character that does not fit whole', () => {
    expect(cutText('ab👀', 3)).toBe('ab');
    expect(cutText('ab👀', 4)).toBe('ab👀');
  });

  it('gives a beginning of the text, at most one unit shorter than it may be', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, max) => {
        const cut = cutText(text, max);
        expect(text.startsWith(cut)).toBe(true);
        expect(isUtf8(cut)).toBe(true);
        expect(Math.min(text.length, max) - cut.length).toBeLessThanOrEqual(1);
        expect(cut.length).toBeLessThanOrEqual(max);
      }),
    );
  });
});

describe('wholeCharacters', () => {
  it.each([
    [0, 0],
    [1, 1],
    [2, 1],
    [3, 3],
    [9, 9],
  ])('moves the end %d of a slice to %d', (end, whole) => {
    expect(wholeCharacters('a👀b', end)).toBe(whole);
  });
});

describe('singleLine', () => {
  it('lets a name forge no line and keeps it within its bound', () => {
    expect(singleLine(' Bob\r\n\tyes\u2028no\u2029\u0085 ', 64)).toBe('Bob yes no');
    expect(singleLine('Bob👀', 4)).toBe('Bob');
  });
});
