import { Inject, Injectable } from '@nestjs/common';
import { newContext } from '@nuqloud/messaging';
import { describeError, LOGGER } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import { AnswerMessage } from '../answer-message/answer-message';
import { addressedTo } from '../domain/addressing';
import { MAX_TURN_MS } from '../domain/turn';
import { Bots } from '../ports/bots';
import { Inbox, RoomLeases } from '../ports/rooms';
import type { InboxItem, Lease, RoomKey } from '../ports/rooms';
import { Conversations } from '../ports/turns';

/** A crashed worker's room is free again after this long. */
const LEASE_MS = 10_000;
const RENEW_MS = 3_000;

/** Works off one room's events, one after another, as long as it holds the room's lease. */
@Injectable()
export class RoomWorker {
  constructor(
    private readonly leases: RoomLeases,
    private readonly inbox: Inbox,
    private readonly bots: Bots,
    private readonly conversations: Conversations,
    private readonly answerMessage: AnswerMessage,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async work(room: RoomKey, stopping: AbortSignal): Promise<void> {
    const lease = await this.leases.acquire(room, LEASE_MS);
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
    if (event.kind !== 'message' && event.kind !== 'attachment') return this.inbox.ignore(lease, item.id);
    const bot = await this.bots.find(event.bot);
    if (!bot || bot.instance !== event.instance) return this.inbox.ignore(lease, item.id);
    const addressed = addressedTo(bot, bot.modes.get(event.room) ?? bot.defaultMode, event);
    if (!addressed) return this.inbox.ignore(lease, item.id);
    await this.answerMessage.answer({
      lease,
      item,
      event,
      bot,
      text: addressed.text,
      key: { ...key, thread: event.thread },
      context: newContext(Date.now() + MAX_TURN_MS, item.correlationId),
      signal,
    });
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
