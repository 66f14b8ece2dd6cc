import { Inject, Injectable } from '@nestjs/common';
import type { ChatMessage, ChatReaction } from '@nuqloud/contracts';
import type { MessageContext } from '@nuqloud/messaging';
import { describeError, LOGGER } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import { Confirmations, OpenPrompts } from '../ports/confirmations';
import type { Asked, Verdict } from '../ports/confirmations';

/** What `confirmation` says of a message; `unjudged` while it cannot be asked. */
export type Answer = Verdict | { readonly verdict: 'unjudged' };

/** Hands what people with an open prompt write to `confirmation`, which alone says whether it is their answer. */
@Injectable()
export class RelayAnswer {
  constructor(
    private readonly confirmations: Confirmations,
    private readonly prompts: OpenPrompts,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Whether the writer has an open prompt here; only local users are ever asked. */
  async isAsked(event: Pick<ChatMessage, 'instance' | 'bot' | 'room' | 'actor'>): Promise<boolean> {
    return event.actor.type === 'users' && this.prompts.isOpen(askedIn(event));
  }

  /** @param event of somebody who has an open prompt there */
  async judge(event: ChatMessage | ChatReaction, context: MessageContext): Promise<Answer> {
    const whose = askedIn(event);
    try {
      const verdict = await this.confirmations.judge(event, context);
      // A turn closes it at its end, so that after a crash the same message is judged again.
      if (!verdict.open && !hasTurn(verdict)) await this.prompts.closed(whose);
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
}

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

const hasTurn = ({ verdict }: Verdict): boolean => verdict === 'approved' || verdict === 'rejected';
