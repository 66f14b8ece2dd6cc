const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const FIRST_DELAY_MS = SECOND;
const LONGEST_DELAY_MS = MINUTE;
const GIVE_UP_AFTER_MS = 60 * MINUTE;

/**
 * Talk locks an address out after about ten wrong signatures in half an hour. Waiting 10 s, 20 s, 40 s … after
 * each in a row keeps below that and makes a bot whose secret is right again answer soon.
 */
const FIRST_PAUSE_MS = 10 * SECOND;
const LONGEST_PAUSE_MS = 30 * MINUTE;

/** What came of one call to Talk. */
export type TalkAnswer =
  | { readonly status: number; readonly retryAfterMs?: number }
  | { readonly unreachable: 'TIMEOUT' | 'NETWORK' };

export interface AttemptedPost {
  readonly isReaction: boolean;
  readonly isRemoval: boolean;
  readonly isReply: boolean;
  /** Tries so far, this one included. */
  readonly attempts: number;
  /** Since it was asked for. */
  readonly ageMs: number;
  /** Signatures of its bot that Talk refused in a row before. */
  readonly refusals: number;
}

/** `pauseMs` stops everything of the bot for that long. `reason` is a code for logs. */
export type Verdict =
  | { readonly next: 'sent' }
  | { readonly next: 'failed'; readonly reason: string; readonly pauseMs?: number }
  | { readonly next: 'refused'; readonly reason: string; readonly pauseMs: number }
  | {
      readonly next: 'again';
      readonly reason: string;
      readonly delayMs: number;
      readonly withoutReply: boolean;
      readonly pauseMs?: number;
    };

/**
 * What happens to a post after a try. After an unknown outcome (a time-out) it is posted again: twice rather than
 * never. A reaction is tried once, because it is decoration and must not hold up an answer.
 */
export const judgeDelivery = (post: AttemptedPost, answer: TalkAnswer): Verdict => {
  if ('unreachable' in answer) return later(post, answer.unreachable);
  const { status } = answer;
  const reason = `HTTP_${status}`;
  if (status >= 200 && status < 300) return { next: 'sent' };
  if (status === 401) return { next: 'refused', reason, pauseMs: pauseAfter(post.refusals) };
  // The message replied to may be gone: the answer still belongs to the room.
  if (status === 400 && post.isReply) return { next: 'again', reason, delayMs: 0, withoutReply: true };
  if (status === 404 && post.isRemoval) return { next: 'sent' };
  const maySucceedLater = status >= 500 || status < 400 || status === 408 || status === 429;
  return maySucceedLater ? later(post, reason, answer) : { next: 'failed', reason };
};

const later = (
  post: AttemptedPost,
  reason: string,
  { status, retryAfterMs = 0 }: { status?: number; retryAfterMs?: number } = {},
): Verdict => {
  const delayMs = Math.max(retryAfterMs, backOff(post.attempts));
  // 429 speaks of our address, so the bot's other rooms wait with this one.
  const pause = status === 429 && { pauseMs: Math.min(delayMs, LONGEST_PAUSE_MS) };
  if (post.isReaction || post.ageMs + delayMs > GIVE_UP_AFTER_MS) return { next: 'failed', reason, ...pause };
  return { next: 'again', reason, delayMs, withoutReply: false, ...pause };
};

const backOff = (attempts: number): number =>
  Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempts - 1, 10));

const pauseAfter = (refusals: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(refusals, 10));

/** Whether the message may stand in the room although this answer does not say so. */
export const mayHavePosted = (answer: TalkAnswer): boolean =>
  'unreachable' in answer || answer.status >= 500 || answer.status === 408;
