import type { AnswerConfirmationReply, AnswerConfirmationRequest, AuditRecordBody } from '@nuqloud/contracts';
import { CONFIRMATION_REFUSALS } from '@nuqloud/contracts';
import type { MessageContext } from '@nuqloud/messaging';
import type { ReadAttested, ReadMessage } from '../attest/read-attested';
import { codeLine, expiredLine, hintLine, postedAbout } from '../domain/compose-prompt';
import { ConfirmationRefusal } from '../domain/confirmation-refusal';
import { judgeAnswer } from '../domain/judge-answer';
import type { Prompt } from '../domain/prompt';
import type { AuditLog } from '../ports/audit-log';
import type { Bots } from '../ports/bots';
import type { Clock } from '../ports/clock';
import type { Prompts, StoredAction } from '../ports/prompts';
import type { PromptFate, Talk } from '../ports/talk';
import type { GrantActions } from './grant-actions';

export interface AnswerOptions {
  readonly ttlMs: number;
  readonly clock: Clock;
}

type AnsweredVerdict = Extract<AuditRecordBody, { kind: 'confirmation.answered' }>['verdict'];

/** Another replica may close a prompt while it is judged here; it can be closed only once. */
const TRIES = 3;

/**
 * Says what a message is to the person's open prompt. What ended a prompt is remembered; everything else is judged
 * anew whenever it is asked, from facts that can only turn against it: what was no approval once never becomes one.
 */
export class AnswerConfirmation {
  constructor(
    private readonly attested: ReadAttested,
    private readonly bots: Bots,
    private readonly prompts: Prompts,
    private readonly talk: Talk,
    private readonly audit: AuditLog,
    private readonly grants: GrantActions,
    private readonly options: AnswerOptions,
  ) {}

  /** @throws ConfirmationRefusal, or a retryable AppError: then nothing has changed, or the same request goes on with it */
  async answer(
    request: AnswerConfirmationRequest,
    context: MessageContext,
  ): Promise<AnswerConfirmationReply> {
    const message = await this.attested.message(request);
    if (!/^users\/[^\0]+$/.test(message.sub)) return ordinary(false);
    for (let tries = 0; tries < TRIES; tries += 1) {
      const reply = await this.judge(message, context);
      if (reply) return reply;
    }
    throw new ConfirmationRefusal(
      CONFIRMATION_REFUSALS.STORE_UNAVAILABLE,
      'The question changed while it was being answered; ask again.',
      { retryable: true },
    );
  }

  /** @returns undefined when the prompt was closed meanwhile */
  private async judge(
    message: ReadMessage,
    context: MessageContext,
  ): Promise<AnswerConfirmationReply | undefined> {
    const prompts = (await this.prompts.concerning(message)).filter(({ bot }) => bot === message.bot);
    const isEndedBy = (prompt: Prompt) => prompt.answer === message.id && message.kind === 'message';
    const ended = prompts.find(isEndedBy);
    const others = prompts.filter((prompt) => !isEndedBy(prompt));
    if (ended) return this.again(ended, message, others.length > 0);
    if (message.expired) throw expiredAttestation();
    const [prompt] = others;
    return prompt ? this.judgeBy(prompt, message, context) : ordinary(false);
  }

  private async judgeBy(
    prompt: Prompt,
    message: ReadMessage,
    context: MessageContext,
  ): Promise<AnswerConfirmationReply | undefined> {
    const [names, fate] = await Promise.all([
      this.bots.find(prompt.instance, prompt.bot),
      this.talk.fateOf(addressOf(prompt), context),
    ]);
    if (!names) return ordinary(true);
    const postedAt = prompt.postedAt ?? fate.postedAt;
    if (await this.giveUp(prompt, postedAt, fate, message, context)) return ordinary(false);
    const judgement = judgeAnswer(prompt, message, {
      triedAt: fate.triedAt,
      postedAt,
      othersSince: fate.othersSince,
      ttlMs: this.options.ttlMs,
      names,
      posted: postedAbout(prompt),
    });
    switch (judgement) {
      case 'approved':
      case 'rejected':
        return this.close(prompt, message, judgement, context);
      case 'late':
      case 'past':
        return this.tellExpiry(prompt, message, judgement, context);
      case 'ordinary':
      case 'hint':
      case 'ask-code':
        // It stays open, and is judged by that time again when Talk's answer is known no longer.
        if (prompt.postedAt === null && postedAt !== null) await this.prompts.posted(prompt.id, postedAt);
        return this.stayOpen(prompt, message, judgement, context);
    }
  }

  private async stayOpen(
    prompt: Prompt,
    message: ReadMessage,
    judgement: 'ordinary' | 'hint' | 'ask-code',
    context: MessageContext,
  ): Promise<AnswerConfirmationReply> {
    if (judgement === 'ordinary') return ordinary(true);
    if (judgement === 'ask-code') return this.askCode(prompt, message, context);
    await this.talk.post({ ...lineOf(prompt), part: 'hint', text: hintLine(prompt) }, context);
    return { v: 1, verdict: 'consumed', open: true };
  }

  /** A prompt that Talk will never show is no question. */
  private async giveUp(
    prompt: Prompt,
    postedAt: number | null,
    fate: PromptFate,
    message: ReadMessage,
    context: MessageContext,
  ): Promise<boolean> {
    if (postedAt !== null || fate.state !== 'failed') return false;
    await this.end(prompt, 'expired', null, message, context);
    return true;
  }

  private async askCode(
    prompt: Prompt,
    message: ReadMessage,
    context: MessageContext,
  ): Promise<AnswerConfirmationReply> {
    await this.record(prompt, 'code-asked', message, context);
    const line = { ...lineOf(prompt), part: 'code' as const, text: codeLine(prompt) };
    await this.talk.post({ ...line, replyTo: message.id, cause: message.id }, context);
    return { v: 1, verdict: 'consumed', open: true };
  }

  private async close(
    prompt: Prompt,
    message: ReadMessage,
    state: 'approved' | 'rejected',
    context: MessageContext,
  ): Promise<AnswerConfirmationReply | undefined> {
    const actions = await this.end(prompt, state, message.id, message, context);
    return actions && this.verdictOf({ ...prompt, state }, message, false, actions);
  }

  private async tellExpiry(
    prompt: Prompt,
    message: ReadMessage,
    judgement: 'late' | 'past',
    context: MessageContext,
  ): Promise<AnswerConfirmationReply | undefined> {
    // First the line: it is posted once, however often it is handed over, and must not be forgotten.
    await this.talk.post({ ...lineOf(prompt), part: 'expired', text: expiredLine(prompt) }, context);
    const answer = judgement === 'late' ? message.id : null;
    if (!(await this.end(prompt, 'expired', answer, message, context))) return undefined;
    return judgement === 'late' ? { v: 1, verdict: 'consumed', open: false } : ordinary(false);
  }

  /** The same message as before: the same verdict, with what became of its actions. */
  private async again(prompt: Prompt, message: ReadMessage, open: boolean): Promise<AnswerConfirmationReply> {
    if (prompt.state === 'expired') return { v: 1, verdict: 'consumed', open };
    return this.verdictOf(prompt, message, open);
  }

  private async verdictOf(
    prompt: Prompt,
    message: ReadMessage,
    open: boolean,
    actions?: readonly StoredAction[],
  ): Promise<AnswerConfirmationReply> {
    const about = { v: 1 as const, open, confirmation: prompt.id };
    if (prompt.state === 'rejected') return { ...about, verdict: 'rejected', titles: [...prompt.titles] };
    return { ...about, verdict: 'approved', actions: await this.grants.grant(prompt, message, actions) };
  }

  private end(
    prompt: Prompt,
    state: 'approved' | 'rejected' | 'expired',
    answer: string | null,
    message: ReadMessage,
    context: MessageContext,
  ): Promise<StoredAction[] | undefined> {
    return this.prompts.end(prompt.id, { state, answer, told: true, at: this.options.clock() }, () =>
      this.record(prompt, state, message, context),
    );
  }

  private record(
    prompt: Prompt,
    verdict: AnsweredVerdict,
    message: ReadMessage,
    context: MessageContext,
  ): Promise<void> {
    const entry = {
      kind: 'confirmation.answered' as const,
      instance: prompt.instance,
      bot: prompt.bot,
      room: prompt.room,
      message: message.id,
      person: prompt.sub,
      confirmation: prompt.id,
      verdict,
    };
    return this.audit.append([entry], this.options.clock(), context);
  }
}

const ordinary = (open: boolean): AnswerConfirmationReply => ({ v: 1, verdict: 'ordinary', open });

const addressOf = ({ id, instance, bot, room }: Prompt) => ({ confirmation: id, instance, bot, room });

/** Lines about a prompt stand where it stands: below the message that asked. */
const lineOf = (prompt: Prompt) => ({ ...addressOf(prompt), replyTo: prompt.message });

const expiredAttestation = (): ConfirmationRefusal =>
  new ConfirmationRefusal(
    CONFIRMATION_REFUSALS.INVALID_ATTESTATION,
    'The attestation of the message has expired: nobody may act on it any more.',
  );
