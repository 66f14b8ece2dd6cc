import type { PostPromptRequest } from '@nuqloud/contracts';
import type { MessageContext } from '@nuqloud/messaging';

export interface PromptFate {
  /** `failed` will never be posted; of `unknown` nobody can tell whether it was. */
  readonly state: 'waiting' | 'posted' | 'failed' | 'unknown';
  /** Since when it may stand in the room although Talk has not said so, in milliseconds. */
  readonly triedAt: number | null;
  /** When Talk took it, in milliseconds. */
  readonly postedAt: number | null;
  /** Whether any of our bots has posted, or may have posted, anything else in the room since. */
  readonly othersSince: boolean;
}

export interface PromptAddress {
  readonly confirmation: string;
  readonly instance: string;
  readonly bot: string;
  readonly room: string;
}

/** The room, through talk-ingress. */
export abstract class Talk {
  /**
   * Hands a prompt, or a line about one, over for delivery; the same part for the same cause is posted once.
   * @throws AppError when it was not taken
   */
  abstract post(post: Omit<PostPromptRequest, 'v'>, context: MessageContext): Promise<void>;
  /** @throws AppError when nobody answers */
  abstract fateOf(prompt: PromptAddress, context: MessageContext): Promise<PromptFate>;
}
