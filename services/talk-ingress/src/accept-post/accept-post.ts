import { createHash } from 'node:crypto';
import type { PostPromptRequest, PostToRoomReply, PostToRoomRequest } from '@nuqloud/contracts';
import type { Logger } from '@nuqloud/platform';
import type { BotDirectory } from '../bots/bot-directory';
import { composeParts } from '../domain/compose-parts';
import type { Post } from '../domain/compose-parts';
import { isPromptKey, keyOfPart } from '../domain/prompt-key';
import { PROMPT_LIMIT } from '../domain/split-message';
import type { Outbox, OutboxRequest } from '../ports/outbox';
import { emptyPost, outboxAway, reservedKey, unknownBot } from './post-refusals';

/** Puts a post into the outbox; from then on it is delivered whatever dies. */
export class AcceptPost {
  constructor(
    private readonly bots: BotDirectory,
    private readonly outbox: Outbox,
    private readonly wakeDelivery: () => void,
    private readonly logger: Logger,
  ) {}

  /** @throws AppError TALK.RESERVED_KEY, TALK.UNKNOWN_BOT, TALK.EMPTY_POST, TALK.OUTBOX_AWAY (retryable) */
  async accept(request: PostToRoomRequest, correlationId: string): Promise<PostToRoomReply> {
    if (isPromptKey(request.key)) throw reservedKey();
    return this.store(request, composeParts(request.post), correlationId);
  }

  /**
   * A prompt is one message in Talk wherever Talk takes it as one: who quotes it quotes all of it.
   * @throws AppError TALK.UNKNOWN_BOT, TALK.EMPTY_POST, TALK.OUTBOX_AWAY (retryable)
   */
  async acceptPrompt(request: PostPromptRequest, correlationId: string): Promise<PostToRoomReply> {
    const { instance, bot, room, text, replyTo } = request;
    const post: Post = { type: 'message', text, ...(replyTo !== undefined && { replyTo }) };
    const key = keyOfPart(request);
    return this.store({ instance, bot, room, key }, composeParts(post, PROMPT_LIMIT), correlationId);
  }

  private async store(
    { instance, bot, room, key }: OutboxRequest,
    posts: readonly Post[],
    correlationId: string,
  ): Promise<PostToRoomReply> {
    if ((await this.bots.findFresh(bot))?.instance !== instance) throw unknownBot({ bot, instance });
    if (posts.length === 0) throw emptyPost();
    const request = { instance, bot, room, key };
    const parts = posts.map((post, part) => ({ post, referenceId: referenceId(request, part) }));
    const stored = await this.outbox.add(request, parts).catch((cause: unknown) => {
      throw outboxAway(cause);
    });
    this.wakeDelivery();
    this.logger.info({ event: 'post.accepted', correlationId, ...request, ...stored });
    return { v: 1, ...stored };
  }
}

/** The same for every try of a part, so that the message can be found in the room's history. */
const referenceId = ({ instance, room, key }: OutboxRequest, part: number): string =>
  createHash('sha256')
    .update(JSON.stringify([instance, room, key, part]))
    .digest('hex');
