import { Inject, Injectable } from '@nestjs/common';
import type { ChatMessage, ChatReaction } from '@nuqloud/contracts';
import type { MessageContext } from '@nuqloud/messaging';
import { describeError, LOGGER } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import type { Person } from '../answer-message/turn-work';
import { phrasesFor } from '../domain/phrases';
import { Confirmations, OpenPrompts } from '../ports/confirmations';
import type { Asked, PromptState, Verdict } from '../ports/confirmations';
import { RoomPosts } from '../ports/room-posts';

/** What `confirmation` says of a message; `unjudged` while it cannot be asked. */
export type Answer = Verdict | { readonly verdict: 'unjudged' };

/** Hands what people with an open prompt write to `confirmation`, which alone says whether it is their answer. */
@Injectable()
export class RelayAnswer {
  constructor(
    private readonly confirmations: Confirmations,
    private readonly prompts: OpenPrompts,
    private readonly posts: RoomPosts,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** What the writer was asked here; only local users are ever asked. */
  async asked(
    event: Pick<ChatMessage, 'instance' | 'bot' | 'room' | 'actor'>,
  ): Promise<PromptState | undefined> {
    return event.actor.type === 'users' ? this.prompts.stateOf(askedIn(event)) : undefined;
  }

  /** @param asked what was asked there of whoever wrote or felt that */
  async judge(
    event: ChatMessage | ChatReaction,
    asked: PromptState,
    writer: Promise<Person> | undefined,
    context: MessageContext,
  ): Promise<Answer> {
    const whose = askedIn(event);
    try {
      const verdict = await this.confirmations.judge(event, context);
      // A turn closes it at its end, so that after a crash the same message is judged again.
      if (!verdict.open && !hasTurn(verdict)) {
        if (asked === 'unjudged' && verdict.verdict === 'ordinary')
          await this.tellClosed(event, writer, context);
        await this.prompts.closed(whose);
      }
      return verdict;
    } catch (error) {
      this.logger.warn({
        event: 'answer.unjudged',
        correlationId: context.correlationId,
        ...describeError(error),
      });
      return { verdict: 'unjudged' };
    }
  }

  /** They were told to answer again, and that cannot be done any more: nobody acts on what they answered before. */
  private async tellClosed(
    event: ChatMessage | ChatReaction,
    writer: Promise<Person> | undefined,
    context: MessageContext,
  ): Promise<void> {
    const text = phrasesFor((await writer)?.language ?? 'en').questionClosed;
    await this.posts.message(event, `closed:${event.messageId}`, text, event.messageId, context);
  }
}

const hasTurn = ({ verdict }: Verdict): boolean => verdict === 'approved' || verdict === 'rejected';

const askedIn = ({
  instance,
  bot,
  room,
  actor,
}: Pick<ChatMessage, 'instance' | 'bot' | 'room' | 'actor'>): Asked => ({
  instance,
  bot,
  room,
  person: `${actor.type}/${actor.id}`,
});
