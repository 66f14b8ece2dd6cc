import type { MessageContext } from '@nuqloud/messaging';

export interface PostTarget {
  readonly instance: string;
  readonly bot: string;
  readonly room: string;
}

/** Talk, as far as the agent writes there: everything is stored by talk-ingress before it returns. */
export abstract class RoomPosts {
  /** @param key the same key is posted once */
  abstract message(
    target: PostTarget,
    key: string,
    text: string,
    replyTo: string | undefined,
    context: MessageContext,
  ): Promise<void>;
  abstract react(
    target: PostTarget,
    key: string,
    messageId: string,
    reaction: string,
    on: boolean,
    context: MessageContext,
  ): Promise<void>;
}
