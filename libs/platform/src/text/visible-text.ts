/**
 * What shows as nothing, or turns or hides what stands around it, and the brackets in which it is shown here. What makes
 * one emoji of several, or an emoji of a letter, can be seen.
 */
const UNSEEN =
  /(?!(?<=(?!\p{Emoji_Presentation})\p{Extended_Pictographic})\uFE0F|\uFE0F(?=\u20E3)|(?<=\p{Extended_Pictographic}[\uFE0F\u{1F3FB}-\u{1F3FF}]?)\u200D(?=\p{Extended_Pictographic}))[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800⟨⟩]/gu;

/** Spaces that look like another, or like none: at the ends, several in a row, and all but the usual one. */
const ODD_SPACE = /(?! )\p{Zs}|^ | $|(?<= ) /gu;

/**
 * A name as people can tell it from every other: what cannot be seen stands there as its number, e.g. `plan⟨U+200B⟩.md`.
 */
export const visibleText = (name: string): string =>
  name.replace(UNSEEN, numberOf).replace(ODD_SPACE, numberOf);

const numberOf = (character: string): string =>
  `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
