import { Inject, Injectable } from '@nestjs/common';
import type { AnsweredCall, Proposal, TurnStep } from '@nuqloud/contracts';
import { MAX_PROMPT_ACTIONS } from '@nuqloud/contracts';
import { BUS_ERRORS } from '@nuqloud/messaging';
import { AppError, describeError, errorCode, LOGGER } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import type { TurnWork } from '../answer-message/turn-work';
import { personKey } from '../answer-message/turn-work';
import { phrasesFor } from '../domain/phrases';
import { besidesPrompt } from '../domain/reports';
import { Confirmations, OpenPrompts } from '../ports/confirmations';
import { RoomPosts } from '../ports/room-posts';
import type { Turn } from '../ports/turns';

type ProposeResult = NonNullable<Extract<TurnStep, { kind: 'propose' }>['result']>;

export interface Proposing {
  readonly work: TurnWork;
  readonly turn: Pick<Turn, 'id' | 'tries'>;
  readonly language: string;
  readonly zone: string | null;
  readonly proposals: readonly Proposal[];
  /** Everything that the turn's calls were answered. */
  readonly answers: readonly AnsweredCall[];
  readonly isWrite: (tool: string) => boolean;
}

/** Tries of a turn whose prompt may stand in the room without anybody knowing. */
const TRIES = 3;

/** Has the person asked for a "yes". The prompt itself is composed and posted by `confirmation`. */
@Injectable()
export class Propose {
  constructor(
    private readonly confirmations: Confirmations,
    private readonly prompts: OpenPrompts,
    private readonly posts: RoomPosts,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Idempotent: after a crash the same proposals are the same prompt, posted once. Throws where the prompt may have
   * been posted although nobody said so: the turn is then taken up again.
   */
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
      this.logger.warn({ event: 'prompt.failed', turn: proposing.turn.id, ...describeError(error) });
      if (!(error instanceof AppError)) throw error;
      if (!error.retryable) return { v: 1, text: `${phrases.notAsked} (${error.message})` };
      if (errorCode(error) === BUS_ERRORS.NO_RESPONDERS) return { v: 1, text: phrases.notAsked };
      if (proposing.turn.tries < TRIES) throw error;
      return { v: 1, text: phrases.maybeAsked };
    }
  }

  /** What else the batch did stands above the prompt, so that a reader of the "yes" knows what it is about. */
  private async sayTheRest({ work, turn, language, answers, isWrite }: Proposing): Promise<void> {
    const text = besidesPrompt(language, answers, isWrite);
    if (text === undefined) return;
    await this.posts.message(work.key, `${turn.id}:besides`, text, work.event.messageId, work.context);
  }
}
