import { Inject, Injectable } from '@nestjs/common';
import type { AnsweredCall, Proposal, TurnStep } from '@nuqloud/contracts';
import { MAX_PROMPT_ACTIONS } from '@nuqloud/contracts';
import { AppError, describeError, LOGGER } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import type { TurnWork } from '../answer-message/turn-work';
import { personKey } from '../answer-message/turn-work';
import { phrasesFor } from '../domain/phrases';
import { besidesPrompt } from '../domain/reports';
import { Confirmations, OpenPrompts } from '../ports/confirmations';
import { RoomPosts } from '../ports/room-posts';

type ProposeResult = NonNullable<Extract<TurnStep, { kind: 'propose' }>['result']>;

export interface Proposing {
  readonly work: TurnWork;
  readonly turnId: string;
  readonly language: string;
  readonly zone: string | null;
  readonly proposals: readonly Proposal[];
  /** Everything that the turn's calls were answered. */
  readonly answers: readonly AnsweredCall[];
  readonly isWrite: (tool: string) => boolean;
}

/** Has the person asked for a "yes". The prompt itself is composed and posted by `confirmation`. */
@Injectable()
export class Propose {
  constructor(
    private readonly confirmations: Confirmations,
    private readonly prompts: OpenPrompts,
    private readonly posts: RoomPosts,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Idempotent: after a crash the same proposals are the same prompt, posted once. */
  async run(proposing: Proposing): Promise<ProposeResult> {
    const { work, language, zone, proposals } = proposing;
    const phrases = phrasesFor(language);
    if (proposals.length > MAX_PROMPT_ACTIONS)
      return { v: 1, text: phrases.tooManyActions(MAX_PROMPT_ACTIONS) };
    await this.sayTheRest(proposing);
    const { instance, bot, room } = work.key;
    await this.prompts.opened({ instance, bot, room, person: personKey(work) });
    try {
      const { confirmation, text } = await this.confirmations.propose(
        { attestation: work.event.attestation, proposals: [...proposals], language, zone },
        work.context,
      );
      return { v: 1, confirmation, text };
    } catch (error) {
      this.logger.warn({ event: 'prompt.failed', turn: proposing.turnId, ...describeError(error) });
      const words = error instanceof AppError && error.code.startsWith('CONFIRM.') && !error.retryable;
      return { v: 1, text: words ? `${phrases.notAsked} (${error.message})` : phrases.notAsked };
    }
  }

  /** What else the batch did stands above the prompt, so that a reader of the "yes" knows what it is about. */
  private async sayTheRest({ work, turnId, language, answers, isWrite }: Proposing): Promise<void> {
    const text = besidesPrompt(language, answers, isWrite);
    if (text === undefined) return;
    await this.posts.message(work.key, `${turnId}:besides`, text, work.event.messageId, work.context);
  }
}
