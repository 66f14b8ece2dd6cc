/** WORD JOINER: takes no room and forbids a line break, so what is read stays the same. */
const JOINER = '\u2060';

/**
 * Every `@` that could begin a mention: Nextcloud takes none right after an ASCII letter, digit or `_` (so e-mail
 * addresses are safe as they are), and none before white space.
 */
const MENTION_START = new RegExp(`(?<![A-Za-z0-9_])@(?=[^\\s${JOINER}])`, 'gu');

/**
 * Breaks what Talk would read as a mention (`@bob`, `@all`, `@"guest/…"`), also in code, where Talk resolves
 * mentions too. Doing it twice changes nothing more.
 */
export const inertMentions = (text: string): string => text.replace(MENTION_START, `@${JOINER}`);
