import type { ChatAttachment, ChatMessage, RoomMode } from '@nuqloud/contracts';

/** How a bot is called in a room. */
export interface BotNames {
  readonly slug: string;
  readonly name: string;
  readonly triggers: readonly string[];
}

export interface Addressed {
  /** The text without a leading trigger: what the person wants of the bot. */
  readonly text: string;
}

/**
 * Whether a message is meant for the bot. In `mention` rooms it must name the bot (its name,
 * `@slug` or a trigger, as a whole word in any case) or quote one of its messages; Talk has no real
 * mention of a bot. In `always` rooms everything is meant for it, in `off` rooms nothing.
 */
export const addressedTo = (
  bot: BotNames,
  mode: RoomMode,
  message: ChatMessage | ChatAttachment,
): Addressed | undefined => {
  if (mode === 'off') return undefined;
  const words = callNames(bot);
  const text = withoutLeadingTrigger(message.text, words);
  if (mode === 'always' || text !== undefined) return { text: text ?? message.text.trim() };
  if (quotesBot(bot, message) || words.some((word) => mentions(message.text, word))) {
    return { text: message.text.trim() };
  }
  return undefined;
};

const quotesBot = (bot: BotNames, { replyTo }: ChatMessage | ChatAttachment): boolean =>
  replyTo?.actor.type === 'bots' && replyTo.actor.name.toLowerCase() === bot.name.toLowerCase();

/** Longest first, so that "@nuq" is taken whole before "nuq". */
const callNames = (bot: BotNames): string[] =>
  [
    ...new Set(
      [`@${bot.slug}`, `@${bot.name}`, bot.name, ...bot.triggers].map((word) => word.trim().toLowerCase()),
    ),
  ]
    .filter((word) => word !== '')
    .sort((a, b) => b.length - a.length);

const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_@-]/u.test(character);

/** `word` stands in `text` with no letter, digit, `@` or `-` glued to it. */
const mentions = (text: string, word: string): boolean => {
  const haystack = text.toLowerCase();
  for (let at = haystack.indexOf(word); at !== -1; at = haystack.indexOf(word, at + 1)) {
    if (!isWordCharacter(haystack[at - 1]) && !isWordCharacter(haystack[at + word.length])) return true;
  }
  return false;
};

const withoutLeadingTrigger = (text: string, words: readonly string[]): string | undefined => {
  const trimmed = text.trim();
  const lower = trimmed.toLowerCase();
  for (const word of words) {
    if (lower.startsWith(word) && !isWordCharacter(lower[word.length])) {
      return trimmed.slice(word.length).replace(/^[\s,:;!.–—-]+/u, '');
    }
  }
  return undefined;
};
