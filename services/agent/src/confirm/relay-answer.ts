import { Inject, Injectable } from '@nestjs/common';
import type { ChatMessage, ChatReaction } from '@nuqloud/contracts';
import type { MessageContext } from '@nuqloud/messaging';
import { describeError, LOGGER } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import { Confirmations, OpenPrompts } from '../ports/confirmations';
import type { Asked, Verdict } from '../ports/confirmations';

/** What `confirmation` says of a message; `unjudged` while it cannot be asked. */
export type Answer = Verdict | { readonly verdict: 'unjudged' };

const NO_ANSWER: Answer = { v: 1, verdict: 'ordinary', open: true };

/**
 * Hands what people with an open prompt write to `confirmation`, which alone says whether it is their answer.
 * Nothing is asked about the others.
 */
@Injectable()
export class RelayAnswer {
  constructor(
    private readonly confirmations: Confirmations,
    private readonly prompts: OpenPrompts,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async judge(event: ChatMessage | ChatReaction, context: MessageContext): Promise<Answer> {
    // Only local users are ever asked.
    if (event.actor.type !== 'users') return NO_ANSWER;
    const whose = askedIn(event);
    if (!(await this.prompts.isOpen(whose))) return NO_ANSWER;
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

export const askedIn = ({ instance, bot, room, actor }: ChatMessage | ChatReaction): Asked => ({
  instance,
  bot,
  room,
  person: `${actor.type}/${actor.id}`,
});

const hasTurn = ({ verdict }: Verdict): boolean => verdict === 'approved' || verdict === 'rejected';
