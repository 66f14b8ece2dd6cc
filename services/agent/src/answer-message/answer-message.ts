import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { TurnStep } from '@nuqloud/contracts';
import { AppError, describeError, LOGGER } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import { buildLoadout } from '../domain/loadout';
import type { Loadout } from '../domain/loadout';
import { stored, toolEntries } from '../domain/memory';
import { languageOf, phrasesFor } from '../domain/phrases';
import { MAX_TURN_MS } from '../domain/turn';
import { Bots } from '../ports/bots';
import { Nextcloud } from '../ports/nextcloud';
import { RoomPosts } from '../ports/room-posts';
import { Turns } from '../ports/turns';
import type { NewEntry, Turn } from '../ports/turns';
import { CORE, ToolRegistry } from '../registry/tool-registry';
import { Converse } from './converse';
import { QuickAnswer } from './quick-answer';
import { personKey } from './turn-work';
import type { Person, TurnWork } from './turn-work';

type ReplyStep = Extract<TurnStep, { kind: 'reply' }>;

/** Shown on the message while work goes on. */
const WORKING = '👀';

/** Tries of a turn that fails for a reason nobody foresaw, before the person is told so. */
const UNFORESEEN_TRIES = 5;

/** Answers one message, from the first sign of work to the reply in the room. */
@Injectable()
export class AnswerMessage {
  constructor(
    private readonly turns: Turns,
    private readonly bots: Bots,
    private readonly registry: ToolRegistry,
    private readonly nextcloud: Nextcloud,
    private readonly posts: RoomPosts,
    private readonly quickAnswer: QuickAnswer,
    private readonly converse: Converse,
    @Inject(CORE) private readonly core: ReadonlySet<string>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Throws what may pass (a store or neighbour is away): the message then stays and is taken up again. */
  async answer(work: TurnWork): Promise<void> {
    const now = new Date();
    const turn = await this.turns.open(work.lease, work.key, work.item, {
      now,
      maxMs: MAX_TURN_MS,
      id: randomUUID(),
    });
    try {
      await this.take(work, turn, now);
    } catch (error) {
      if (work.signal.aborted || mayPass(error) || turn.tries < UNFORESEEN_TRIES) throw error;
      this.logger.error({ event: 'turn.given-up', turn: turn.id, ...describeError(error) });
      const text = phrasesFor('en').interrupted;
      await this.finish(work, turn, reply(text, 'failed'), []);
    }
  }

  private async take(work: TurnWork, turn: Turn, now: Date): Promise<void> {
    const person = await this.person(work);
    const language = languageOf(person?.language ?? 'en');
    const begun = turn.steps.length > 0;
    let loadout: Promise<Loadout> | undefined;
    const getLoadout = () => (loadout ??= this.loadout(work));
    const outcome = begun
      ? ({ kind: 'converse', tools: work.event.actor.type === 'users' } as const)
      : await this.quickAnswer.find(work, person, language, getLoadout, now);
    if (outcome.kind === 'say') return this.finish(work, turn, reply(outcome.text, outcome.outcome), []);
    const shown = this.showWork(work, turn, true);
    const tools = outcome.tools ? (await getLoadout()).tools : [];
    const { reply: last, steps } = await this.converse.run({ work, turn, person, language, tools });
    await shown;
    await this.finish(work, turn, last, this.remembered(work, last, steps));
    await this.showWork(work, turn, false);
  }

  /** The reply's key is the turn's: posting it again after a crash changes nothing. */
  private async finish(
    work: TurnWork,
    turn: Turn,
    step: ReplyStep,
    entries: readonly NewEntry[],
  ): Promise<void> {
    await this.posts.message(
      work.key,
      `${turn.id}:reply`,
      step.request.text,
      work.event.messageId,
      work.context,
    );
    const { outcome } = step.request;
    await this.turns.end(work.lease, { id: turn.id, inboxId: work.item.id, outcome }, work.key, entries);
    this.logger.info({
      event: 'turn.ended',
      turn: turn.id,
      correlationId: work.context.correlationId,
      bot: work.bot.slug,
      outcome,
      ms: Date.now() - turn.startedAt.getTime(),
    });
  }

  private remembered(work: TurnWork, { request }: ReplyStep, steps: readonly TurnStep[]): NewEntry[] {
    const person = personKey(work);
    const said = stored({ kind: 'said', role: 'person', name: work.event.actor.name, text: work.text });
    const answer = stored({ kind: 'said', role: 'bot', name: work.bot.name, text: request.text });
    return [
      { ...said, person, messageId: work.event.messageId },
      ...toolEntries(steps).map((entry) => ({ ...entry, person, messageId: undefined })),
      { ...answer, person, messageId: undefined },
    ];
  }

  /** Guests and federated users have no account here, so nobody can say more of them. */
  private async person({ event, context }: TurnWork): Promise<Person> {
    if (event.actor.type !== 'users') return null;
    try {
      return await this.nextcloud.person(event.attestation, context);
    } catch (error) {
      this.logger.warn({
        event: 'person.unknown',
        correlationId: context.correlationId,
        ...describeError(error),
      });
      return null;
    }
  }

  private async loadout({ bot }: TurnWork): Promise<Loadout> {
    const [assigned, offered] = await Promise.all([
      this.bots.tools(bot.slug),
      this.registry.offered(bot.instance),
    ]);
    return buildLoadout(assigned, offered, this.core);
  }

  /** A sign only: where it cannot be given, the work goes on. */
  private async showWork({ key, event, context }: TurnWork, { id }: Turn, on: boolean): Promise<void> {
    try {
      await this.posts.react(key, `${id}:${on ? 'working' : 'ready'}`, event.messageId, WORKING, on, context);
    } catch (error) {
      this.logger.debug({ event: 'reaction.failed', turn: id, ...describeError(error) });
    }
  }
}

const reply = (text: string, outcome: 'answered' | 'failed'): ReplyStep => ({
  kind: 'reply',
  request: { v: 1, text, outcome },
  result: null,
});

const mayPass = (error: unknown): boolean => error instanceof AppError && error.retryable;
