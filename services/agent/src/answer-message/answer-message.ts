import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { TurnStep } from '@nuqloud/contracts';
import { AppError, describeError, errorCode, LOGGER } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import { buildLoadout } from '../domain/loadout';
import type { Loadout } from '../domain/loadout';
import { meansNoToo } from '../domain/command';
import { inertLinks } from '../domain/inert-links';
import { stored, toolEntries } from '../domain/memory';
import { languageOf, phrasesFor } from '../domain/phrases';
import { withReceipts } from '../domain/receipt-lines';
import { answersOf, MAX_TURN_MS } from '../domain/turn';
import type { Move } from '../domain/turn';
import { WORKING } from '../domain/working-sign';
import { Bots } from '../ports/bots';
import { OpenPrompts } from '../ports/confirmations';
import type { Asked } from '../ports/confirmations';
import { Receipts } from '../ports/receipts';
import type { NewReceipt, ReceiptChanges } from '../ports/receipts';
import { RoomPosts } from '../ports/room-posts';
import { Turns } from '../ports/turns';
import type { NewEntry, Turn } from '../ports/turns';
import { CORE, ToolRegistry } from '../registry/tool-registry';
import { Converse } from './converse';
import type { Conversation, Conversed } from './converse';
import { DescribeWriter } from './describe-writer';
import { QuickAnswer } from './quick-answer';
import type { Outcome } from './quick-answer';
import { personKey } from './turn-work';
import type { TurnWork } from './turn-work';

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
    private readonly describeWriter: DescribeWriter,
    private readonly posts: RoomPosts,
    private readonly prompts: OpenPrompts,
    private readonly doneReceipts: Receipts,
    private readonly quickAnswer: QuickAnswer,
    private readonly converse: Converse,
    @Inject(CORE) private readonly core: ReadonlySet<string>,
    @Inject(PROGRESS_AFTER_MS) private readonly progressAfterMs: number,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Throws what may pass (a store or neighbour is away): the message then stays and is taken up again. */
  async answer(work: TurnWork): Promise<void> {
    const now = new Date();
    const opened = this.turns.open(work.lease, work.key, work.item, {
      now,
      maxMs: MAX_TURN_MS,
      id: randomUUID(),
    });
    const described = work.writer ?? this.describeWriter.describe(work.event, work.context);
    const [turn, person] = await Promise.all([opened, described]);
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

  private async take(begun: Begun, now: Date): Promise<void> {
    const { work, turn, person, language, recorded } = begun;
    let loadout: Promise<Loadout> | undefined;
    const getLoadout = () => (loadout ??= this.loadout(work));
    const outcome: Outcome =
      recorded.length > 0
        ? { kind: 'begin', first: FROM_THE_MODEL, tools: work.event.actor.type === 'users' }
        : await this.quickAnswer.find(work, person, language, getLoadout, now);
    if (outcome.kind === 'say') {
      await this.say(work, turn, outcome.text);
      return this.end(work, turn, outcome.outcome, []);
    }
    const shown = this.showWork(work, turn, true);
    const progress = setTimeout(() => void this.showProgress(work, turn, language), this.progressAfterMs);
    const tools = outcome.tools ? (await getLoadout()).tools : [];
    const conversed = await this.converse
      .run({ ...begun, tools, first: outcome.first })
      .finally(() => clearTimeout(progress));
    await shown;
    const { text, posted, outcome: came } = conversed.reply.request;
    const said = conversed.taint.length > 0 ? inertLinks(text, hostsOf(work.bot)) : text;
    if (!posted) await this.say(work, turn, posting(said, conversed, language));
    await this.showWork(work, turn, false);
    await this.end(work, turn, came, this.remembered(work, said, conversed), await this.receipts(conversed));
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
    receipts: ReceiptChanges = { added: [] },
  ): Promise<void> {
    const person = personKey(work);
    const ended = { id: turn.id, inboxId: work.item.id, outcome, person };
    await this.turns.end(work.lease, ended, work.key, entries, receipts);
    await this.notePrompt(work, { ...work.key, person });
    this.logger.info({
      event: 'turn.ended',
      turn: turn.id,
      correlationId: work.context.correlationId,
      bot: work.bot.slug,
      outcome,
      ms: Date.now() - turn.startedAt.getTime(),
    });
  }

  /** What the person can still answer, and what they said last. */
  private async notePrompt({ answer, asked, text }: TurnWork, whose: Asked): Promise<void> {
    if (answer?.verdict === 'unjudged') return this.prompts.mark(whose, 'unjudged');
    if (answer && !answer.open) {
      return answer.verdict === 'rejected'
        ? this.prompts.mark(whose, 'declined')
        : this.prompts.closed(whose);
    }
    if (asked === 'declined' && !meansNoToo(text)) await this.prompts.wentOn(whose);
  }

  private remembered(work: TurnWork, answer: string, { steps, taint }: Conversed): NewEntry[] {
    const person = personKey(work);
    const own = { kind: 'said', own: true } as const;
    return [
      stored({ ...own, role: 'person', name: work.event.actor.name, text: work.text, foreign: [] }),
      ...toolEntries(steps),
      stored({ ...own, role: 'bot', name: work.bot.name, text: answer, foreign: taint }),
    ].map((entry) => ({ ...entry, person }));
  }

  /** What was done can be undone; what undid something cannot, so that a second `undo` takes back what was before. */
  private async receipts({ steps }: Conversed): Promise<ReceiptChanges> {
    const act = steps.find((step) => step.kind === 'act');
    const undo = steps.find((step) => step.kind === 'undo');
    const asked = steps.find((step) => step.kind === 'propose')?.result?.confirmation;
    const added = steps.flatMap(receiptsIn);
    if (undo) {
      const receipt = BigInt(undo.request.receipt);
      if (asked !== undefined) return { added: [], undoing: { receipt, confirmation: asked } };
      return { added: [], ...(undo.result?.answer.isError === false && { undone: receipt }) };
    }
    const undone = act && (await this.doneReceipts.undoneBy(act.request.confirmation));
    if (undone === undefined) return { added };
    return { added: [], ...(added.length > 0 && { undone: undone.id }) };
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

  /** A sign only: where it cannot be given, the work goes on. Where it cannot be taken away, it would stand there for ever. */
  private async showWork({ key, event, context }: TurnWork, { id }: Turn, on: boolean): Promise<void> {
    try {
      await this.posts.react(key, `${id}:${on ? 'working' : 'ready'}`, event.messageId, WORKING, on, context);
    } catch (error) {
      if (!on && mayPass(error)) throw error;
      this.logger.debug({ event: 'reaction.failed', turn: id, ...describeError(error) });
    }
  }
}

type Begun = Omit<Conversation, 'tools' | 'first'> & { readonly turn: Turn };

/** What was carried out or undone stands in a report that no model wrote. */
const posting = (text: string, { steps }: Conversed, language: string): string =>
  steps.some(({ kind }) => kind === 'model') ? withReceipts(language, text, steps) : text;

const FROM_THE_MODEL: Move = { kind: 'ask', purpose: 'answer' };

const receiptsIn = (step: TurnStep): NewReceipt[] => {
  if (step.kind === 'act') {
    return (step.result?.reports ?? []).flatMap(({ provider, tool, receipt, scope }) =>
      provider && tool && receipt ? [{ provider, tool, receipt, scope }] : [],
    );
  }
  if (step.kind !== 'tools') return [];
  return answersOf([step]).flatMap(({ name, provider, receipt, scope }) =>
    provider && receipt ? [{ provider, tool: name, receipt, scope }] : [],
  );
};

/** Links into the bot's own Nextcloud lead nobody astray. */
const hostsOf = ({ instanceUrl }: TurnWork['bot']): ReadonlySet<string> =>
  new Set(URL.canParse(instanceUrl) ? [new URL(instanceUrl).host] : []);

const mayPass = (error: unknown): boolean => error instanceof AppError && error.retryable;
