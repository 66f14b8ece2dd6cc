import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { TurnStep } from '@nuqloud/contracts';
import { AppError, describeError, errorCode, LOGGER } from '@nuqloud/platform';
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
import type { Conversation } from './converse';
import { QuickAnswer } from './quick-answer';
import { personKey } from './turn-work';
import type { Person, TurnWork } from './turn-work';

/** Shown on the message while work goes on. */
const WORKING = '👀';

/** Injection token: milliseconds after which a turn that still goes on says so once. */
export const PROGRESS_AFTER_MS = Symbol('progress after ms');

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
    @Inject(PROGRESS_AFTER_MS) private readonly progressAfterMs: number,
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
    const person = await this.person(work);
    const language = languageOf(person?.language ?? 'en');
    const { steps } = turn;
    if (!steps) return this.giveUp(work, turn, language, 'AGENT.TURN_UNREADABLE');
    try {
      await this.take({ work, turn, recorded: steps, person, language }, now);
    } catch (error) {
      if (work.signal.aborted || mayPass(error) || turn.tries < UNFORESEEN_TRIES) throw error;
      await this.giveUp(work, turn, language, errorCode(error));
    }
  }

  private async take(begun: Omit<Conversation, 'tools'> & { turn: Turn }, now: Date): Promise<void> {
    const { work, turn, person, language, recorded } = begun;
    let loadout: Promise<Loadout> | undefined;
    const getLoadout = () => (loadout ??= this.loadout(work));
    const outcome =
      recorded.length > 0
        ? ({ kind: 'converse', tools: work.event.actor.type === 'users' } as const)
        : await this.quickAnswer.find(work, person, language, getLoadout, now);
    if (outcome.kind === 'say') {
      await this.say(work, turn, outcome.text);
      return this.end(work, turn, outcome.outcome, []);
    }
    const shown = this.showWork(work, turn, true);
    const progress = setTimeout(() => void this.showProgress(work, turn, language), this.progressAfterMs);
    const tools = outcome.tools ? (await getLoadout()).tools : [];
    const { reply, steps } = await this.converse
      .run({ ...begun, tools })
      .finally(() => clearTimeout(progress));
    await shown;
    await this.say(work, turn, reply.request.text);
    await this.showWork(work, turn, false);
    await this.end(work, turn, reply.request.outcome, this.remembered(work, reply.request.text, steps));
  }

  /** The last resort, so that one message which always fails neither blocks its room nor goes unanswered. */
  private async giveUp(work: TurnWork, turn: Turn, language: string, code: string): Promise<void> {
    this.logger.error({ event: 'turn.given-up', turn: turn.id, code });
    try {
      await this.say(work, turn, phrasesFor(language).interrupted);
      await this.showWork(work, turn, false);
    } catch (error) {
      if (mayPass(error)) throw error;
      // Not even that can be posted (the bot is gone, say): nobody is left to be told.
      this.logger.error({ event: 'turn.not-told', turn: turn.id, ...describeError(error) });
    }
    await this.end(work, turn, 'failed', []);
  }

  /** The reply's key is the turn's: posting it again after a crash changes nothing. */
  private say({ key, event, context }: TurnWork, { id }: Turn, text: string): Promise<void> {
    return this.posts.message(key, `${id}:reply`, text, event.messageId, context);
  }

  private async end(
    work: TurnWork,
    turn: Turn,
    outcome: 'answered' | 'failed',
    entries: readonly NewEntry[],
  ): Promise<void> {
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

  private remembered(work: TurnWork, answer: string, steps: readonly TurnStep[]): NewEntry[] {
    const person = personKey(work);
    return [
      stored({ kind: 'said', role: 'person', name: work.event.actor.name, text: work.text }),
      ...toolEntries(steps),
      stored({ kind: 'said', role: 'bot', name: work.bot.name, text: answer }),
    ].map((entry) => ({ ...entry, person }));
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

  /** One message, so that nobody takes a slow answer for none; like the sign, it may fail. */
  private async showProgress(
    { key, event, context }: TurnWork,
    { id }: Turn,
    language: string,
  ): Promise<void> {
    try {
      await this.posts.message(
        key,
        `${id}:progress`,
        phrasesFor(language).stillWorking,
        event.messageId,
        context,
      );
    } catch (error) {
      this.logger.debug({ event: 'progress.failed', turn: id, ...describeError(error) });
    }
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

const mayPass = (error: unknown): boolean => error instanceof AppError && error.retryable;
