const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u;

/** Exactly one emoji as people count them: skin tones and joined sequences are one. */
export function isSingleEmoji(text: string): boolean {
  const parts = [...graphemes.segment(text)];
  return parts.length === 1 && EMOJI.test(text);
}
