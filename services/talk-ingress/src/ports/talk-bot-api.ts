import type { Post } from '../domain/compose-parts';
import type { TalkAnswer } from '../domain/judge-delivery';

/** Which bot calls, and about which room. */
export interface CallingBot {
  /** Base URL of the Nextcloud, with a sub-folder if there is one. */
  readonly instanceUrl: string;
  readonly secret: string;
  readonly room: string;
}

export interface BotCall extends CallingBot {
  readonly post: Post;
  readonly referenceId: string;
}

/** Talk's door for bots. */
export abstract class TalkBotApi {
  /** One call. Never throws: a server that cannot be reached is an answer too. */
  abstract call(call: BotCall): Promise<TalkAnswer>;

  /**
   * The bits of the bot's features (webhook 1, response 2, …), which Talk tells from 25 on to whoever signs with the
   * secret of a bot of the room. Never throws.
   * @returns undefined where Talk does not tell
   */
  abstract features(bot: CallingBot): Promise<number | undefined>;
}
