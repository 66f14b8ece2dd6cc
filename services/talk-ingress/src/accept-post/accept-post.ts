import { createHash } from 'node:crypto';
import type { PostToRoomReply, PostToRoomRequest } from '@nuqloud/contracts';
import { AppError } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import type { BotDirectory } from '../bots/bot-directory';
import { composeParts } from '../domain/compose-parts';
import type { Outbox, OutboxPart } from '../ports/outbox';

/** Puts a post into the outbox; from then on it is delivered whatever dies. */
export class AcceptPost {
  constructor(
    private readonly bots: BotDirectory,
    private readonly outbox: Outbox,
    private readonly wakeDelivery: () => void,
    private readonly logger: Logger,
  ) {}

  /** @throws AppError TALK.UNKNOWN_BOT, TALK.EMPTY_POST, TALK.OUTBOX_AWAY (retryable) */
  async accept(request: PostToRoomRequest, correlationId: string): Promise<PostToRoomReply> {
    const bot = await this.bots.findFresh(request.bot);
    if (bot?.instance !== request.instance) throw unknownBot(request);
    const parts = composeParts(request.post).map((post, part): OutboxPart => ({
      post,
      referenceId: referenceId(request, part),
    }));
    if (parts.length === 0) {
      throw new AppError('TALK.EMPTY_POST', 'The message has no visible text; Talk would refuse it.');
    }
    const stored = await this.store(request, parts);
    this.wakeDelivery();
    const { instance, room, key } = request;
    this.logger.info({
      event: 'post.accepted',
      correlationId,
      instance,
      bot: bot.slug,
      room,
      key,
      ...stored,
    });
    return { v: 1, ...stored };
  }

  private async store(request: PostToRoomRequest, parts: OutboxPart[]) {
    try {
      return await this.outbox.add(request, parts);
    } catch (cause) {
      throw new AppError('TALK.OUTBOX_AWAY', 'The outbox cannot be written at the moment; try again.', {
        retryable: true,
        cause,
      });
    }
  }
}

const unknownBot = ({ bot, instance }: PostToRoomRequest): AppError =>
  new AppError(
    'TALK.UNKNOWN_BOT',
    `There is no bot ${bot} for the instance ${instance}; the provision file or the administrator adds it.`,
  );

/** The same for every try of a part, so that the message can be found in the room's history. */
const referenceId = ({ instance, room, key }: PostToRoomRequest, part: number): string =>
  createHash('sha256')
    .update(JSON.stringify([instance, room, key, part]))
    .digest('hex');
