import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { AskPurpose, ChatMessage, TurnStep } from '@nuqloud/contracts';
import { describeError, errorCode, LOGGER } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import type { LoadedTool } from '../domain/loadout';
import { MEMORY_TOKENS, stored, withinBudget } from '../domain/memory';
import { MODEL_FAILURES } from '../domain/model-failures';
import { buildPrompt, systemPrompt } from '../domain/prompt';
import type { PromptMessage, RememberedEntry } from '../domain/prompt';
import { Model } from '../ports/model';
import type { ModelRequest } from '../ports/model';
import type { Turn } from '../ports/turns';
import type { Person, TurnWork } from './turn-work';

type ModelStep = Extract<TurnStep, { kind: 'model' }>;
type ModelStepResult = NonNullable<ModelStep['result']>;

export interface Question {
  readonly work: TurnWork;
  readonly turn: Pick<Turn, 'deadlineAt'>;
  readonly person: Person;
  readonly language: string;
  readonly tools: readonly LoadedTool[];
  /** The tool that a forced search must use. */
  readonly search: LoadedTool | undefined;
  readonly purpose: AskPurpose;
  readonly remembered: readonly RememberedEntry[];
  /** Completed so far. */
  readonly steps: readonly TurnStep[];
}

interface Limits {
  /** Estimated tokens of earlier conversation. */
  readonly memory: number;
  /** Estimated tokens of all messages together. */
  readonly prompt: number;
}

const FULL: Limits = { memory: MEMORY_TOKENS, prompt: 48_000 };
/** For a model that cannot read so much. */
const SHORT: Limits = { memory: 1_000, prompt: 6_000 };

/** Asks the model for the next move of a turn. Its failure is a result like any other. */
@Injectable()
export class AskModel {
  constructor(
    private readonly model: Model,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async ask(question: Question): Promise<ModelStepResult> {
    const { work, steps } = question;
    const shortened = steps.some((step) => step.kind === 'model' && step.result?.shortened === true);
    try {
      return { ...(await this.once(question, shortened ? SHORT : FULL)), ...(shortened && { shortened }) };
    } catch (error) {
      if (shortened || errorCode(error) !== MODEL_FAILURES.TOO_LONG)
        return this.failed(error, work, shortened);
    }
    this.logger.info({ event: 'model.shortened', correlationId: work.context.correlationId });
    try {
      return { ...(await this.once(question, SHORT)), shortened: true };
    } catch (error) {
      return this.failed(error, work, true);
    }
  }

  private async once(question: Question, limits: Limits): Promise<ModelStepResult> {
    const { work, turn, tools, purpose, search } = question;
    const deadline = turn.deadlineAt.getTime();
    const request: ModelRequest = {
      model: work.bot.model,
      temperature: work.bot.temperature,
      messages: prompt(question, limits),
      tools: purpose === 'synthesis' ? [] : tools.map(({ definition }) => definition),
      requiredTool: purpose === 'forced-search' ? search?.definition.name : undefined,
      deadline,
    };
    const timeLeft = AbortSignal.timeout(Math.max(0, deadline - Date.now()));
    const answer = await this.model.answer(request, AbortSignal.any([work.signal, timeLeft]));
    return { v: 1, ...answer, toolCalls: [...answer.toolCalls] };
  }

  private failed(error: unknown, work: TurnWork, shortened: boolean): ModelStepResult {
    // Stopping, or a lost lease, is not the model's failure: whoever takes over asks again.
    work.signal.throwIfAborted();
    const described = describeError(error);
    this.logger.warn({ event: 'model.failed', correlationId: work.context.correlationId, ...described });
    return { v: 1, text: '', toolCalls: [], failure: described.code, ...(shortened && { shortened }) };
  }
}

const prompt = (question: Question, limits: Limits): PromptMessage[] => {
  const { work, person, language, tools, purpose, remembered, steps } = question;
  const boundary = randomBytes(9).toString('base64url');
  return buildPrompt({
    system: systemPrompt({
      botName: work.bot.name,
      prompt: work.bot.prompt,
      now: new Date(),
      zone: person?.zone ?? null,
      language,
      hasTools: tools.length > 0,
      boundary,
    }),
    // What is remembered is within the full limit already.
    remembered: limits === FULL ? remembered : withinBudget(remembered.map(stored).reverse(), limits.memory),
    current: { name: work.event.actor.name, text: currentText(work), quoted: quotation(work) },
    steps,
    boundary,
    purpose,
    maxTokens: limits.prompt,
  });
};

const quotation = (work: TurnWork) =>
  work.event.replyTo && { text: withoutCodes(work.event.replyTo), own: isOwnQuotation(work) };

/** Whoever quotes a question of ours quotes its code, which the model must not know: it could ask for it. */
const withoutCodes = ({ actor, text }: NonNullable<ChatMessage['replyTo']>): string =>
  actor.type === 'bots' ? text.replace(/\b[A-Z]\d[A-Z]\b/g, '…') : text;

export const isOwnQuotation = ({ event }: TurnWork): boolean =>
  event.replyTo?.actor.type === event.actor.type && event.replyTo.actor.id === event.actor.id;

/** A shared file is named in the message, so that the model knows what "this" is. */
const currentText = ({ event, text }: TurnWork): string => {
  if (event.kind !== 'attachment') return text;
  const files = event.attachments.map(
    ({ fileId, name, mimetype }) => `[shared file ${JSON.stringify(name)}, ${mimetype}, file id ${fileId}]`,
  );
  return [text, ...files].filter((part) => part !== '').join('\n');
};
