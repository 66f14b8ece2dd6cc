/** Names of files are somebody's text: they stand as code, which they cannot end. */
export const asCode = (text: string): string => `\`${text.replaceAll('`', '⟨U+0060⟩')}\``;
