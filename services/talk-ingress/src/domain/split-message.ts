import { wholeCharacters } from '@nuqloud/platform';
import { MAX_FENCE, readLines } from './code-fences';
import type { Fence, Line } from './code-fences';

/**
 * Talk takes 32 000 characters (code points) a message. Half of it leaves room for what Talk may count otherwise,
 * and a screen that is still readable. Measured in UTF-16 units, which are never fewer than the code points.
 */
export const PART_LIMIT = 16_000;

/** A prompt is not cut before Talk makes us: all of what is asked stands in the message that is answered. */
export const PROMPT_LIMIT = 32_000;

/** A part of a text; `opening` and `closing` are the fences of a code block that was cut in two. */
export interface Piece {
  readonly opening: string;
  readonly body: string;
  readonly closing: string;
}

/** Splits Markdown into messages of at most `limit` UTF-16 units (at least 500); blank ones are left out. */
export const splitMessage = (text: string, limit: number = PART_LIMIT): string[] =>
  cutMessage(text, limit)
    .filter(({ body }) => body.trim() !== '')
    .map(({ opening, body, closing }) => opening + body + closing);

/** Cuts at the best place of the second half of each part. The bodies joined are the text. */
export const cutMessage = (text: string, limit: number): Piece[] => {
  const lines = readLines(text);
  const pieces: Piece[] = [];
  for (let from = 0; from < text.length;) {
    const fence = fenceAt(lines, from);
    const opening = fence ? `${fence.opener}\n` : '';
    const fits = text.length - from + opening.length <= limit;
    const to = fits ? text.length : bestCut(text, lines, from, from + limit - opening.length - MAX_FENCE - 1);
    const body = text.slice(from, to);
    // A block that the author left open is left open.
    const open = fits ? undefined : fenceAt(lines, to);
    pieces.push({ opening, body, closing: open ? closingFence(body, open) : '' });
    from = to;
  }
  return pieces;
};

const fenceAt = (lines: readonly Line[], offset: number): Fence | undefined =>
  lines.findLast(({ start }) => start <= offset)?.fence;

const closingFence = (body: string, fence: Fence): string =>
  `${body.endsWith('\n') ? '' : '\n'}${fence.closer}`;

/** Paragraph, line outside of code, line of code, sentence, word, character: the first kind that the half has. */
const bestCut = (text: string, lines: readonly Line[], from: number, end: number): number => {
  const half = from + Math.ceil((end - from) / 2);
  const cut = lineCut(lines, half, end) ?? textCut(text, half, end) ?? end;
  return characterCut(text, from, cut);
};

const lineCut = (lines: readonly Line[], half: number, end: number): number | undefined => {
  const first = lines.findIndex(({ start }) => start >= half);
  const candidates = first === -1 ? [] : lines.slice(first).filter(({ start }) => start <= end);
  const outside = candidates.filter(({ fence }) => !fence);
  const paragraph = outside.findLast(({ afterBlank }) => afterBlank);
  // Before the line that closes a block there is no cut: the next part would hold an empty block.
  return (paragraph ?? outside.at(-1) ?? candidates.findLast(({ closes }) => !closes))?.start;
};

const SENTENCE_END = /[。！？]|[.!?…]{1,8}["'”’)\]*_]{0,8}\s+/gu;
const WORD_END = /\s+/gu;

const textCut = (text: string, half: number, end: number): number | undefined => {
  const part = text.slice(half, end);
  const match = [...part.matchAll(SENTENCE_END)].at(-1) ?? [...part.matchAll(WORD_END)].at(-1);
  return match && half + match.index + match[0].length;
};

const characters = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** The cut, or the beginning of the character as a person sees it (an emoji with skin tone, a flag) that it would break. */
const characterCut = (text: string, from: number, cut: number): number => {
  const context = text.slice(from, cut + 2); // what follows says whether the character goes on
  const index = characters.segment(context).containing(cut - from)?.index ?? cut - from;
  // A "character" longer than a part is no character that anybody sees.
  return index > 0 ? from + index : wholeCharacters(text, cut);
};
