import type { AttestedKind, RepliedMessage } from '@nuqloud/contracts';
import type { Prompt } from './prompt';
import { isAffirmativeEmoji, readAnswer } from './read-answer';
import type { BotNames } from './read-answer';

/** What somebody wrote, as talk-ingress attested it. */
export interface AttestedMessage {
  readonly id: string;
  readonly kind: AttestedKind;
  readonly bot: string;
  readonly instance: string;
  readonly room: string;
  readonly thread: string | undefined;
  readonly sub: string;
  /** When talk-ingress received it, in milliseconds. */
  readonly at: number;
  /** Read from the room's history: what it says is attested, when it was said is Nextcloud's word. */
  readonly fromHistory?: boolean;
  /** Of a reaction, the emoji. */
  readonly text: string;
  readonly quoted: Pick<RepliedMessage, 'actor' | 'text'> | undefined;
}

/** What is known of the prompt besides itself. */
export interface PromptFacts {
  /** Since when it may stand in the room, in milliseconds, or null as long as it cannot. */
  readonly triedAt: number | null;
  /** When Talk took it, in milliseconds, or null as long as it has not. */
  readonly postedAt: number | null;
  /** Whether the bot has posted anything else in the room since. */
  readonly othersSince: boolean;
  readonly ttlMs: number;
  readonly names: BotNames;
  /** What was posted about it and holds its code: the prompt, and the lines that repeat the code. */
  readonly posted: readonly string[];
}

/**
 * - `late`: a "yes" after the prompt had expired; `past`: anything else after that;
 * - `ask-code`: a "yes" that may mean something else, or that came before Talk said that it has the prompt; `hint`: a reaction that means "yes".
 */
export type Judgement = 'ordinary' | 'approved' | 'rejected' | 'ask-code' | 'hint' | 'late' | 'past';

/**
 * Whether a message answers a prompt, by rules 4, 5, 7 and 8 of the confirmation model. The prompt is one of the same
 * person: everything else is compared here.
 */
export const judgeAnswer = (prompt: Prompt, message: AttestedMessage, facts: PromptFacts): Judgement => {
  const { postedAt } = facts;
  if (!isSamePlace(prompt, message)) return 'ordinary';
  if (postedAt === null || message.at <= postedAt) return judgeEarly(prompt, message, facts);
  const over = prompt.state !== 'asked' || message.at >= postedAt + facts.ttlMs;
  if (message.kind === 'reaction_added') {
    return !over && isAffirmativeEmoji(message.text) ? 'hint' : 'ordinary';
  }
  if (message.kind === 'reaction_removed') return 'ordinary';
  const answer = answerTo(prompt, message, facts);
  if (over) return answer?.meaning === 'yes' ? 'late' : 'past';
  if (!answer) return 'ordinary';
  if (answer.meaning === 'no') return 'rejected';
  if (message.fromHistory) return 'ask-code';
  return answer.namesPrompt || !facts.othersSince ? 'approved' : 'ask-code';
};

/**
 * Talk shows a message before it answers the bot, and its answer can be late or lost: a prompt can be read before it
 * counts as posted. Whoever answers so quickly is asked once more, because they may have answered something else.
 */
const judgeEarly = (prompt: Prompt, message: AttestedMessage, facts: PromptFacts): Judgement => {
  const isReadable = facts.triedAt !== null && message.at > facts.triedAt;
  if (!isReadable || prompt.state !== 'asked') return 'ordinary';
  const answer = answerTo(prompt, message, facts);
  if (!answer) return 'ordinary';
  return answer.meaning === 'no' ? 'rejected' : 'ask-code';
};

const isSamePlace = (prompt: Prompt, message: AttestedMessage): boolean =>
  prompt.sub === message.sub &&
  prompt.sub.startsWith('users/') &&
  prompt.instance === message.instance &&
  prompt.room === message.room &&
  prompt.bot === message.bot;

interface Answer {
  readonly meaning: 'yes' | 'no';
  readonly namesPrompt: boolean;
}

const answerTo = (prompt: Prompt, message: AttestedMessage, facts: PromptFacts): Answer | undefined => {
  // A caption belongs to a file, and a thread is a conversation of its own.
  if (message.kind !== 'message' || prompt.thread !== message.thread) return undefined;
  const read = readAnswer(message.text, facts.names, prompt.code);
  if (!read) return undefined;
  if (!message.quoted || read.withCode) return { meaning: read.meaning, namesPrompt: read.withCode };
  // Who quotes something answers that.
  return quotesPrompt(prompt, message.quoted, facts.posted)
    ? { meaning: read.meaning, namesPrompt: true }
    : undefined;
};

const quotesPrompt = (
  { code }: Prompt,
  { actor, text }: Pick<RepliedMessage, 'actor' | 'text'>,
  posted: readonly string[],
): boolean =>
  actor.type === 'bots' &&
  text.includes(code) &&
  posted.some((line) => line !== '' && folded(line) === folded(text));

/** Talk and talk-ingress may change white space and add joiners that make mentions inert. */
const folded = (text: string): string =>
  text
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
