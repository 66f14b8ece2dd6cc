import { readTextPart } from './text-part';

const LINE_FEED = 0x0a;

/**
 * A text with more text on a new line, whose line end is the one that the file has; null where the bytes are no
 * UTF-8 text.
 */
export const appended = (bytes: Buffer, content: string): Buffer | null => {
  if (readTextPart(bytes, 0, bytes.length) === null) return null;
  const startsLine = bytes.length === 0 || bytes.at(-1) === LINE_FEED;
  const lineEnd = bytes.includes('\r\n') ? '\r\n' : '\n';
  return Buffer.concat([bytes, Buffer.from((startsLine ? '' : lineEnd) + content)]);
};
