import type { Post } from '../domain/compose-parts';
import type { TalkAnswer } from '../domain/judge-delivery';

export interface BotCall {
  /** Base URL of the Nextcloud, with a sub-folder if there is one. */
  readonly instanceUrl: string;
  readonly secret: string;
  readonly room: string;
  readonly post: Post;
  readonly referenceId: string;
}

/** Talk's door for bots. */
export abstract class TalkBotApi {
  /** One call. Never throws: a server that cannot be reached is an answer too. */
  abstract call(call: BotCall): Promise<TalkAnswer>;
}
