import type { Post } from '../domain/compose-parts';

/** One call to Talk that is to be made, as it enters the outbox. */
export interface OutboxPart {
  readonly post: Post;
  /** Stable over all tries; lets a person or a program find the message in the room. */
  readonly referenceId: string;
}

export interface OutboxRequest {
  readonly instance: string;
  readonly bot: string;
  readonly room: string;
  readonly key: string;
}

/** A post that this process may make now. */
export interface ClaimedPost extends OutboxRequest {
  readonly id: bigint;
  readonly part: number;
  /** Undefined when what is stored cannot be read. */
  readonly post: Post | undefined;
  readonly referenceId: string;
  /** Tries so far, this one included; also says which claim a result belongs to. */
  readonly attempts: number;
  readonly ageMs: number;
  /** Signatures of the bot that Talk refused in a row. */
  readonly refusals: number;
  /** Talk tells the bot of this room through AppAPI: there it signs with what its registration gave it. */
  readonly throughApp: boolean;
  /** That secret, encrypted; null while the app is not enabled. */
  readonly sealedAppSecret: string | null;
}

export interface Retry {
  readonly reason: string;
  readonly delayMs: number;
  readonly withoutReply: boolean;
  /** Talk may have taken it: the outcome of this try is unknown. */
  readonly maybePosted: boolean;
}

/** What became of a prompt, and what a reader has seen below it since. */
export interface Fate {
  readonly state: 'waiting' | 'posted' | 'failed' | 'unknown';
  /** Since when all of it may stand in the room: Talk was asked to post it and has not refused. */
  readonly triedAt: Date | null;
  /** When Talk took the last part of it; null as long as it has not taken all. */
  readonly postedAt: Date | null;
  /**
   * A later message of the bot in that room, which is not about this prompt, stands there or may: it was sent, is being
   * sent, or its outcome is unknown. True also for a prompt that is not known.
   */
  readonly othersSince: boolean;
}

/**
 * What is still to be posted, shared by all replicas. Posts of a room come in the order of their acceptance, one at
 * a time. A claim that ran out has no effect any more: its result is ignored.
 */
export abstract class Outbox {
  /** Stores all parts or none, and a known key once. */
  abstract add(
    request: OutboxRequest,
    parts: readonly OutboxPart[],
  ): Promise<{ duplicate: boolean; parts: number }>;

  /**
   * The first posts of at most `limit` rooms, for `leaseMs` this process's own.
   * @param at now, by the clock by which messages are attested to have arrived
   */
  abstract claim(limit: number, leaseMs: number, at: Date): Promise<ClaimedPost[]>;

  /** @param at when Talk said so, by the clock by which messages are attested to have arrived */
  abstract sent(post: ClaimedPost, at: Date): Promise<void>;
  abstract failed(post: ClaimedPost, reason: string, maybePosted: boolean): Promise<void>;
  abstract again(post: ClaimedPost, retry: Retry): Promise<void>;

  /**
   * Talk takes no signature of this bot in this room: everything of it that waits there has failed, and everything
   * elsewhere waits for `pauseMs`.
   * @returns how many posts have failed
   */
  abstract refused(post: ClaimedPost, reason: string, pauseMs: number): Promise<number>;

  /** @param prompt the request under whose key it was stored */
  abstract fate(prompt: OutboxRequest): Promise<Fate>;

  /** Nothing of the bot is claimed for `pauseMs`. */
  abstract pause(bot: string, pauseMs: number): Promise<void>;

  /** Rooms in which this bot wanted to post last, the latest first. */
  abstract recentRooms(instance: string, bot: string, limit: number): Promise<string[]>;

  /** Forgets posts that have been final for longer than `ageMs`, and with them their keys. */
  abstract forget(ageMs: number): Promise<void>;
}
