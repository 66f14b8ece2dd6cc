import { Injectable } from '@nestjs/common';
import type { TurnStep } from '@nuqloud/contracts';
import { searchToForce } from '../domain/forced-search';
import { CarryOut } from '../confirm/carry-out';
import { Propose } from '../confirm/propose';
import { UndoLast } from '../confirm/undo-last';
import { lastWords } from '../domain/last-words';
import type { LoadedTool } from '../domain/loadout';
import { MEMORY_TOKENS, withinBudget } from '../domain/memory';
import { phrasesFor } from '../domain/phrases';
import type { RememberedEntry } from '../domain/prompt';
import { reportText } from '../domain/reports';
import { taintSources } from '../domain/taint';
import { answersOf, doneWritesOf, nextMove, proposalsOf } from '../domain/turn';
import type { Move, TurnFacts } from '../domain/turn';
import { isWrittenCall } from '../domain/written-call';
import { Conversations, Turns } from '../ports/turns';
import type { Turn } from '../ports/turns';
import { AskModel, isOwnQuotation } from './ask-model';
import { RunTools } from './run-tools';
import type { ToolsOfTurn } from './run-tools';
import { personKey } from './turn-work';
import type { Person, TurnWork } from './turn-work';

type ReplyStep = Extract<TurnStep, { kind: 'reply' }>;
type OpenStep = Exclude<TurnStep, { kind: 'reply' }>;

/** So many entries are looked at to fill the memory's token budget. */
const REMEMBERED_ENTRIES = 60;

export interface Conversation {
  readonly work: TurnWork;
  readonly turn: Pick<Turn, 'id' | 'deadlineAt' | 'tries'>;
  /** What the turn begins with, when nothing was recorded. */
  readonly first: Move;
  /** What was recorded before a crash. */
  readonly recorded: readonly TurnStep[];
  readonly person: Person;
  readonly language: string;
  readonly tools: readonly LoadedTool[];
}

/** What stands before the model at a step. */
interface SoFar {
  readonly remembered: readonly RememberedEntry[];
  readonly steps: readonly TurnStep[];
  /** Sources of foreign content among it. */
  readonly taint: readonly string[];
}

/** A finished conversation: what is to be said, and what led to it. */
export interface Conversed {
  readonly reply: ReplyStep;
  readonly steps: readonly TurnStep[];
  readonly taint: readonly string[];
}

/** The loop: asks the model, runs the tools it wants, until there is something to say. */
@Injectable()
export class Converse {
  constructor(
    private readonly askModel: AskModel,
    private readonly runTools: RunTools,
    private readonly propose: Propose,
    private readonly carryOut: CarryOut,
    private readonly undoLast: UndoLast,
    private readonly turns: Turns,
    private readonly conversations: Conversations,
  ) {}

  /** Completes the turn's steps up to the reply, which is recorded and not yet posted. */
  async run(conversation: Conversation): Promise<Conversed> {
    const { work, turn } = conversation;
    const steps = conversation.recorded.filter(({ result }) => result !== null);
    const unfinished = conversation.recorded.find(({ result }) => result === null);
    let step = unfinished ?? stepOf(nextMove(steps, this.facts(conversation)));
    // Only a model reads it: a "yes" that is waited for costs no look at it.
    const remembered = [...steps, step].some(({ kind }) => kind === 'model') ? await this.recent(work) : [];
    if (!unfinished) await this.turns.record(work.lease, turn.id, new Map([[steps.length, step]]));
    let interrupted = unfinished !== undefined;
    const before = {
      self: work.event.actor.name,
      remembered,
      quotedFrom: quotedFrom(work),
      attached: attachmentsOf(work).map(({ name }) => name),
    };
    // Where no model was asked none can have been led.
    const taint = () =>
      steps.some(({ kind }) => kind === 'model') ? taintSources({ ...before, steps }) : [];
    while (step.kind !== 'reply') {
      work.signal.throwIfAborted();
      const done = await this.perform(step, conversation, { remembered, steps, taint: taint() }, interrupted);
      interrupted = false;
      steps.push(done);
      step = stepOf(nextMove(steps, this.facts(conversation)));
      await this.turns.record(
        work.lease,
        turn.id,
        new Map([
          [steps.length - 1, done],
          [steps.length, step],
        ]),
      );
    }
    return { reply: step, steps, taint: taint() };
  }

  private async recent(work: TurnWork): Promise<RememberedEntry[]> {
    const entries = await this.conversations.recent(work.key, personKey(work), REMEMBERED_ENTRIES);
    return withinBudget(entries, MEMORY_TOKENS);
  }

  private async perform(
    step: OpenStep,
    conversation: Conversation,
    so: SoFar,
    interrupted: boolean,
  ): Promise<TurnStep> {
    const { work, turn, person, language } = conversation;
    const message = { ...work.context, deadline: turn.deadlineAt.getTime() };
    // Writing the step down has just shown that the room is ours.
    let held = !interrupted;
    const mayGoOn = async () => {
      work.signal.throwIfAborted();
      if (!held) await this.turns.hold(work.lease);
      held = false;
    };
    const call = callOf(conversation);
    switch (step.kind) {
      case 'model': {
        const { tools } = conversation;
        const { remembered, steps } = so;
        const { purpose } = step.request;
        const search = this.search(conversation);
        const question = { work, turn, person, language, tools, search, purpose, remembered, steps };
        return { ...step, result: await this.askModel.ask(question) };
      }
      case 'tools': {
        const ofTurn = { ...call, tools: byName(conversation.tools), taint: so.taint };
        const done = doneWritesOf(so.steps);
        const { calls } = step.request;
        const answers = await this.runTools.run(calls, ofTurn, done, interrupted, message, mayGoOn);
        return { ...step, result: { v: 1, answers } };
      }
      case 'propose': {
        const proposals = so.steps.flatMap(proposalsOf);
        const isWrite = (name: string) => !(byName(conversation.tools).get(name)?.policy.readOnly ?? true);
        const zone = person?.zone ?? null;
        const answers = answersOf(so.steps);
        const asking = { work, turn, language, zone, proposals, answers, isWrite };
        return { ...step, result: await this.propose.run(asking) };
      }
      case 'act': {
        const { confirmation } = step.request;
        const reports = await this.carryOut.run({
          work,
          confirmation,
          context: call.context,
          message,
          mayGoOn,
        });
        return { ...step, result: { v: 1, reports } };
      }
      case 'undo': {
        const answer = await this.undoLast.run(step, work, call, interrupted, message, mayGoOn);
        return { ...step, result: { v: 1, answer } };
      }
    }
  }

  private search({ work, tools }: Conversation): LoadedTool | undefined {
    return searchToForce(work.bot.forcedSearch, work.text, tools);
  }

  private facts(conversation: Conversation): TurnFacts {
    const tools = byName(conversation.tools);
    const { language, first } = conversation;
    return {
      first,
      timeIsUp: Date.now() >= conversation.turn.deadlineAt.getTime(),
      thresholdOf: (name) => tools.get(name)?.policy.loopThreshold,
      isSearch: (name) => tools.get(name)?.policy.kind === 'search',
      mustSearch: this.search(conversation) !== undefined,
      isWrittenCall: (text) => isWrittenCall(text, [...tools.keys()]),
      cutOff: (text) => `${text}\n\n${phrasesFor(language).cutOff}`,
      lastWords: (shortfall, found) => lastWords(language, shortfall, found),
      reportWords: (reports) => reportText(language, reports),
      undoWords: (target, answer) =>
        answer.isError
          ? phrasesFor(language).notUndone(target, answer.text.replace(/^Error: /, ''))
          : phrasesFor(language).undone(target),
    };
  }
}

const stepOf = (move: Move): TurnStep => {
  switch (move.kind) {
    case 'ask':
      return { kind: 'model', request: { v: 1, purpose: move.purpose }, result: null };
    case 'run':
      return { kind: 'tools', request: { v: 1, calls: [...move.calls] }, result: null };
    case 'propose':
      return { kind: 'propose', request: { v: 1 }, result: null };
    case 'act':
      return { kind: 'act', request: { v: 1, confirmation: move.confirmation }, result: null };
    case 'undo': {
      const { kind, ...request } = move;
      return { kind, request: { v: 1, ...request }, result: null };
    }
    case 'reply': {
      const { kind, ...request } = move;
      return { kind, request: { v: 1, ...request }, result: null };
    }
  }
};

const byName = (tools: readonly LoadedTool[]): ReadonlyMap<string, LoadedTool> =>
  new Map(tools.map((tool) => [tool.definition.name, tool]));

/** Whoever wrote what is quoted, unless it is the person: what others wrote may steer the model. */
const quotedFrom = (work: TurnWork): string | undefined =>
  isOwnQuotation(work) ? undefined : work.event.replyTo?.actor.name;

const attachmentsOf = ({ event }: TurnWork) => (event.kind === 'attachment' ? event.attachments : []);

/** What every call of a turn has in common. */
const callOf = ({
  work,
  person,
  language,
}: Conversation): Pick<ToolsOfTurn, 'context' | 'attestation' | 'text'> => ({
  context: {
    instance: work.key.instance,
    bot: work.bot.slug,
    room: work.key.room,
    ...(work.key.thread === undefined ? {} : { thread: work.key.thread }),
    messageId: work.event.messageId,
    attachments: attachmentsOf(work),
    language,
    zone: person?.zone ?? null,
  },
  attestation: work.event.attestation,
  text: work.event.text,
});
