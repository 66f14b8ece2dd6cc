import fc from 'fast-check';
import { appended } from './appended';

const added = (before: string, content: string) => appended(Buffer.from(before), content)?.toString();

it.each([
  ['', 'x', 'x'],
  ['a\n', 'x', 'a\nx'],
  ['a', 'x', 'a\nx'],
  ['a\r\nb', 'x', 'a\r\nb\r\nx'],
  ['a\r\nb\r\n', 'x\n', 'a\r\nb\r\nx\n'],
  ['\ufeffa', 'x', '\ufeffa\nx'],
  ['日本', '😀', '日本\n😀'],
])('adds to %j the text %j as %j', (before, content, after) => {
  expect(added(before, content)).toBe(after);
});

it.each([
  ['no UTF-8', Buffer.from([0xff, 0xfe, 0x41, 0x00])],
  ['half a character at the end', Buffer.from('ä').subarray(0, 1)],
  ['a PDF', Buffer.from('%PDF-1.4 abc')],
  ['zeros', Buffer.alloc(4)],
])('adds nothing to %s', (_what, bytes) => {
  expect(appended(bytes, 'x')).toBeNull();
});

it('keeps every byte of what was there, and the text as it is', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'grapheme', minLength: 1 }),
      (text, more) => {
        const after = appended(Buffer.from(text), more);
        if (after === null) return;
        expect(after.subarray(0, Buffer.byteLength(text))).toEqual(Buffer.from(text));
        expect(after.toString().endsWith(more)).toBe(true);
      },
    ),
  );
});
