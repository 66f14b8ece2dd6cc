/** A part of a text file, cut between characters. */
export interface TextPart {
  readonly text: string;
  /** First byte of the file that is in it, and the first that is not any more. */
  readonly start: number;
  readonly end: number;
}

/** Bytes to ask for beyond a part, so that its last character is whole: UTF-8 takes four at most. */
export const CHARACTER_REST = 3;

/** Signatures of files that may look like text for a while. */
const SIGNATURES = ['%PDF-', '{\\rtf', 'PK\u0003\u0004'];
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
/** Control characters that no text has, in a hundred characters: more is something else. */
const TOLERATED_CONTROLS = 0.01;

/**
 * The text in bytes of a file, or null where they are no UTF-8 text. What it is is decided by its
 * content: names and media types are only guesses.
 * @param bytes from `offset` on, up to CHARACTER_REST more than `length`
 */
export const readTextPart = (bytes: Uint8Array, offset: number, length: number): TextPart | null => {
  const skipped = offset === 0 ? byteOrderMark(bytes) : restOfCharacter(bytes, 0);
  let end = Math.min(bytes.length, Math.max(length, skipped));
  end += restOfCharacter(bytes, end);
  const text = decode(bytes.subarray(skipped, end));
  if (text === null || (offset === 0 && isKnownFormat(text)) || isBinary(text)) return null;
  return { text, start: offset + skipped, end: offset + end };
};

const byteOrderMark = (bytes: Uint8Array): number =>
  BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte) ? BYTE_ORDER_MARK.length : 0;

/** How many bytes from `at` on still belong to the character before. */
const restOfCharacter = (bytes: Uint8Array, at: number): number => {
  let count = 0;
  while (count < CHARACTER_REST && ((bytes[at + count] ?? 0) & 0xc0) === 0x80) count += 1;
  return count;
};

const decode = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // TypeError: not UTF-8.
    return null;
  }
};

const isKnownFormat = (text: string): boolean => SIGNATURES.some((signature) => text.startsWith(signature));

const isBinary = (text: string): boolean => {
  if (text.includes('\u0000')) return true;
  // Tab, line ends, form feed and escape (coloured logs) do occur in text.
  const controls = text.match(/[\u0001-\u0007\u000b\u000e-\u001a\u001c-\u001f]/g)?.length ?? 0;
  return controls > text.length * TOLERATED_CONTROLS;
};
