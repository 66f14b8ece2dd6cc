import { Inject, Injectable } from '@nestjs/common';
import type { ChatAttachment, ChatMessage } from '@nuqloud/contracts';
import { newContext } from '@nuqloud/messaging';
import type { MessageContext } from '@nuqloud/messaging';
import { AppError, describeError, LOGGER } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import { AnswerMessage } from '../answer-message/answer-message';
import { DescribeWriter } from '../answer-message/describe-writer';
import { RelayAnswer } from '../confirm/relay-answer';
import { addressedTo } from '../domain/addressing';
import { MAX_TURN_MS } from '../domain/turn';
import type { TurnWork } from '../answer-message/turn-work';
import { Bots } from '../ports/bots';
import type { Bot } from '../ports/bots';
import type { PromptState } from '../ports/confirmations';
import { Inbox, RoomLeases } from '../ports/rooms';
import type { InboxItem, Lease, RoomKey } from '../ports/rooms';
import { Conversations, Turns } from '../ports/turns';

/** A crashed worker's room is free again after this long. */
const LEASE_MS = 10_000;
const RENEW_MS = 3_000;

/** Longer texts are no answers, and are dealt with although nobody can say so. */
const ANSWER_CHARACTERS = 40;

const isOpen = (asked: PromptState | undefined): asked is PromptState =>
  asked !== undefined && asked !== 'declined';

/** A turn that may be carrying out what was approved can only go on when that can be asked. */
class ConfirmationAway extends AppError {
  constructor() {
    super('AGENT.CONFIRMATION_AWAY', 'Nobody can say what was approved at the moment.', { retryable: true });
  }
}

/** Works off one room's events, one after another, as long as it holds the room's lease. */
@Injectable()
export class RoomWorker {
  constructor(
    private readonly leases: RoomLeases,
    private readonly inbox: Inbox,
    private readonly bots: Bots,
    private readonly conversations: Conversations,
    private readonly relayAnswer: RelayAnswer,
    private readonly turns: Turns,
    private readonly describeWriter: DescribeWriter,
    private readonly answerMessage: AnswerMessage,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @param stored resolves when what there is to do can be found */
  async work(room: RoomKey, stopping: AbortSignal, stored: Promise<unknown>): Promise<void> {
    const [early] = await Promise.all([this.leases.acquire(room, LEASE_MS), stored]);
    // Whoever had the room until now may have looked for the last time before it was stored.
    const lease = early ?? (await this.leases.acquire(room, LEASE_MS));
    if (!lease) return;
    const lost = new AbortController();
    const heartbeat = setInterval(() => void this.renew(lease, lost), RENEW_MS);
    try {
      const signal = AbortSignal.any([stopping, lost.signal]);
      while (!signal.aborted) {
        const item = await this.inbox.next(room);
        if (!item) break;
        await this.deal(lease, item, signal);
      }
    } finally {
      clearInterval(heartbeat);
      if (!lost.signal.aborted) await this.leases.release(lease);
    }
  }

  private async deal(lease: Lease, item: InboxItem, signal: AbortSignal): Promise<void> {
    const { event } = item;
    if (!event) {
      this.logger.error({ event: 'inbox.unreadable', inbox: String(item.id) });
      return this.inbox.ignore(lease, item.id);
    }
    const key = { instance: event.instance, bot: event.bot, room: event.room };
    if (event.kind === 'left' || event.kind === 'system') {
      await this.conversations.forget(lease, key, 'everybody');
      return this.inbox.ignore(lease, item.id);
    }
    const [bot, asked] = await Promise.all([
      this.bots.find(event.bot),
      'actor' in event ? this.relayAnswer.asked(event) : undefined,
    ]);
    if (!bot || bot.instance !== event.instance) return this.inbox.ignore(lease, item.id);
    const context = newContext(Date.now() + MAX_TURN_MS, item.correlationId);
    if ('reaction' in event && isOpen(asked)) await this.relayAnswer.judge(event, asked, undefined, context);
    if (!('text' in event)) return this.inbox.ignore(lease, item.id);
    const meant = await this.meantFor(bot, event, item, context, asked);
    if (!meant) return this.inbox.ignore(lease, item.id);
    const conversation = { ...key, thread: event.thread };
    const work = { lease, item, event, bot, asked, key: conversation, context, signal };
    await this.answerMessage.answer({ ...work, ...meant });
  }

  /** An answer to a prompt needs no trigger; anything else must be addressed to the bot. */
  private async meantFor(
    bot: Bot,
    event: ChatMessage | ChatAttachment,
    item: InboxItem,
    context: MessageContext,
    asked: PromptState | undefined,
  ): Promise<Pick<TurnWork, 'text' | 'answer' | 'writer'> | undefined> {
    const mode = bot.modes.get(event.room) ?? bot.defaultMode;
    if (mode === 'off') return undefined;
    // Most of what they write now is their answer, which then need not wait for this.
    const writer = isOpen(asked) ? this.describeWriter.describe(event, context) : undefined;
    // A caption is no answer.
    const answer =
      isOpen(asked) && event.kind === 'message'
        ? await this.relayAnswer.judge(event, asked, writer, context)
        : undefined;
    const { text } = event;
    if (answer?.verdict === 'consumed') return undefined;
    if (answer?.verdict === 'approved' || answer?.verdict === 'rejected') return { text, answer, writer };
    if (answer?.verdict === 'unjudged') {
      if (await this.turns.begun(item.id)) throw new ConfirmationAway();
      if (text.length <= ANSWER_CHARACTERS) return { text, answer, writer };
    }
    const addressed = addressedTo(bot, mode, event);
    return addressed && { text: addressed.text, answer: undefined, writer };
  }

  private async renew(lease: Lease, lost: AbortController): Promise<void> {
    try {
      if (!(await this.leases.renew(lease, LEASE_MS))) lost.abort();
    } catch (error) {
      // Whether the lease is still ours shows at the next write, which is conditional on it.
      this.logger.warn({ event: 'lease.renewal-failed', ...describeError(error) });
    }
  }
}
