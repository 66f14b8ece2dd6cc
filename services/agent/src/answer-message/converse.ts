import { Inject, Injectable } from '@nestjs/common';
import type { TurnStep } from '@nuqloud/contracts';
import { describeError, LOGGER } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import { searchToForce } from '../domain/forced-search';
import { lastWords } from '../domain/last-words';
import type { LoadedTool } from '../domain/loadout';
import { MEMORY_TOKENS, withinBudget } from '../domain/memory';
import { phrasesFor } from '../domain/phrases';
import { buildPrompt, systemPrompt } from '../domain/prompt';
import type { PromptParts } from '../domain/prompt';
import { doneWritesOf, nextMove } from '../domain/turn';
import type { Move, TurnFacts } from '../domain/turn';
import { Model } from '../ports/model';
import { Conversations, Turns } from '../ports/turns';
import type { Turn } from '../ports/turns';
import { RunTools } from './run-tools';
import type { ToolsOfTurn } from './run-tools';
import { personKey } from './turn-work';
import type { Person, TurnWork } from './turn-work';

type ReplyStep = Extract<TurnStep, { kind: 'reply' }>;
type OpenStep = Extract<TurnStep, { kind: 'model' | 'tools' }>;

/** So many entries are looked at to fill the memory's token budget. */
const REMEMBERED_ENTRIES = 60;

export interface Conversation {
  readonly work: TurnWork;
  readonly turn: Pick<Turn, 'id' | 'deadlineAt'>;
  /** What was recorded before a crash. */
  readonly recorded: readonly TurnStep[];
  readonly person: Person;
  readonly language: string;
  readonly tools: readonly LoadedTool[];
}

/** The loop: asks the model, runs the tools it wants, until there is something to say. */
@Injectable()
export class Converse {
  constructor(
    private readonly model: Model,
    private readonly runTools: RunTools,
    private readonly turns: Turns,
    private readonly conversations: Conversations,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Completes the turn's steps up to the reply, which is recorded and not yet posted. */
  async run(conversation: Conversation): Promise<{ reply: ReplyStep; steps: TurnStep[] }> {
    const { work, turn } = conversation;
    const steps = conversation.recorded.filter(({ result }) => result !== null);
    const unfinished = conversation.recorded.find(({ result }) => result === null);
    const remembered = withinBudget(
      await this.conversations.recent(work.key, personKey(work), REMEMBERED_ENTRIES),
      MEMORY_TOKENS,
    );
    let step = unfinished ?? stepOf(nextMove(steps, this.facts(conversation)));
    if (!unfinished) await this.turns.record(work.lease, turn.id, new Map([[steps.length, step]]));
    let interrupted = unfinished !== undefined;
    while (step.kind !== 'reply') {
      work.signal.throwIfAborted();
      const done = await this.perform(step, conversation, { remembered, steps }, interrupted);
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
    return { reply: step, steps };
  }

  private async perform(
    step: OpenStep,
    conversation: Conversation,
    so: Pick<PromptParts, 'remembered' | 'steps'>,
    interrupted: boolean,
  ): Promise<TurnStep> {
    if (step.kind === 'model') return this.askModel(step, conversation, so);
    const { work, tools } = conversation;
    const context = { ...work.context, deadline: conversation.turn.deadlineAt.getTime() };
    const answers = await this.runTools.run(
      step.request.calls,
      toolsOfTurn(conversation, tools),
      doneWritesOf(so.steps),
      interrupted,
      context,
      async () => {
        work.signal.throwIfAborted();
        await this.turns.hold(work.lease);
      },
    );
    return { ...step, result: { v: 1, answers } };
  }

  private async askModel(
    step: Extract<TurnStep, { kind: 'model' }>,
    conversation: Conversation,
    { remembered, steps }: Pick<PromptParts, 'remembered' | 'steps'>,
  ): Promise<TurnStep> {
    const { work, tools, turn } = conversation;
    const { purpose } = step.request;
    const messages = buildPrompt({
      system: this.system(conversation),
      remembered,
      current: { name: work.event.actor.name, text: currentText(work), quoted: work.event.replyTo?.text },
      steps,
      finish: purpose === 'synthesis',
    });
    const timeLeft = AbortSignal.timeout(Math.max(0, turn.deadlineAt.getTime() - Date.now()));
    try {
      const answer = await this.model.answer(
        {
          model: work.bot.model,
          temperature: work.bot.temperature,
          messages,
          tools: purpose === 'synthesis' ? [] : tools.map(({ definition }) => definition),
          requiredTool: purpose === 'forced-search' ? this.search(conversation)?.definition.name : undefined,
        },
        AbortSignal.any([work.signal, timeLeft]),
      );
      return { ...step, result: { v: 1, ...answer, toolCalls: [...answer.toolCalls] } };
    } catch (error) {
      // Stopping, or a lost lease, is not the model's failure: whoever takes over asks again.
      work.signal.throwIfAborted();
      const described = describeError(error);
      this.logger.warn({ event: 'model.failed', correlationId: work.context.correlationId, ...described });
      return { ...step, result: { v: 1, text: '', toolCalls: [], failure: described.code } };
    }
  }

  private system({ work, person, language, tools }: Conversation): string {
    return systemPrompt({
      botName: work.bot.name,
      prompt: work.bot.prompt,
      now: new Date(),
      zone: person?.zone ?? null,
      language,
      hasTools: tools.length > 0,
    });
  }

  private search({ work, tools }: Conversation): LoadedTool | undefined {
    return searchToForce(work.bot.forcedSearch, work.text, tools);
  }

  private facts(conversation: Conversation): TurnFacts {
    const tools = new Map(conversation.tools.map((tool) => [tool.definition.name, tool]));
    return {
      timeIsUp: Date.now() >= conversation.turn.deadlineAt.getTime(),
      thresholdOf: (name) => tools.get(name)?.policy.loopThreshold,
      isSearch: (name) => tools.get(name)?.policy.kind === 'search',
      mustSearch: this.search(conversation) !== undefined,
      cutOff: (text) => `${text}\n\n${phrasesFor(conversation.language).cutOff}`,
      lastWords: (shortfall, found) => lastWords(conversation.language, shortfall, found),
    };
  }
}

const stepOf = (move: Move): TurnStep => {
  switch (move.kind) {
    case 'ask':
      return { kind: 'model', request: { v: 1, purpose: move.purpose }, result: null };
    case 'run':
      return { kind: 'tools', request: { v: 1, calls: [...move.calls] }, result: null };
    case 'reply':
      return { kind: 'reply', request: { v: 1, text: move.text, outcome: move.outcome }, result: null };
  }
};

/** A shared file is named in the message, so that the model knows what "this" is. */
const currentText = ({ event, text }: TurnWork): string => {
  if (event.kind !== 'attachment') return text;
  const files = event.attachments.map(
    ({ fileId, name, mimetype }) => `[shared file ${JSON.stringify(name)}, ${mimetype}, file id ${fileId}]`,
  );
  return [text, ...files].filter((part) => part !== '').join('\n');
};

const toolsOfTurn = (
  { work, person, language }: Conversation,
  tools: readonly LoadedTool[],
): ToolsOfTurn => ({
  tools: new Map(tools.map((tool) => [tool.definition.name, tool])),
  context: {
    instance: work.key.instance,
    bot: work.bot.slug,
    room: work.key.room,
    ...(work.key.thread === undefined ? {} : { thread: work.key.thread }),
    messageId: work.event.messageId,
    attachments: work.event.kind === 'attachment' ? work.event.attachments : [],
    language,
    zone: person?.zone ?? null,
  },
  attestation: work.event.attestation,
  text: work.event.text,
});
