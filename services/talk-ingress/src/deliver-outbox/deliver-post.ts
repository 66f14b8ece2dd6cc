import type { Logger } from '@nuqloud/platform';
import type { BotDirectory } from '../bots/bot-directory';
import { judgeDelivery } from '../domain/judge-delivery';
import type { Verdict } from '../domain/judge-delivery';
import type { IngressMetrics } from '../observe/ingress-metrics';
import type { ClaimedPost, Outbox } from '../ports/outbox';
import type { TalkBotApi } from '../ports/talk-bot-api';

/** Tries one claimed post and records what came of it. */
export class DeliverPost {
  constructor(
    private readonly bots: Pick<BotDirectory, 'findFresh'>,
    private readonly talk: TalkBotApi,
    private readonly outbox: Outbox,
    private readonly metrics: IngressMetrics,
    private readonly logger: Logger,
  ) {}

  /** @throws what the outbox throws; the post is then claimed again when its lease has run out */
  async deliver(claimed: ClaimedPost): Promise<void> {
    const verdict = await this.attempt(claimed);
    await this.settle(claimed, verdict);
    this.metrics.posts.inc({ bot: claimed.bot, outcome: verdict.next });
  }

  private async attempt(claimed: ClaimedPost): Promise<Verdict> {
    const { post, room, referenceId } = claimed;
    if (!post) return { next: 'failed', reason: 'UNREADABLE' };
    const bot = await this.bots.findFresh(claimed.bot);
    // A bot that has moved to another Nextcloud since: what waits belongs into a room of the former one.
    if (bot?.instance !== claimed.instance) return { next: 'failed', reason: 'UNKNOWN_BOT' };
    const { instanceUrl, secret } = bot;
    const answer = await this.talk.call({ instanceUrl, secret, room, post, referenceId });
    const { attempts, ageMs, refusals } = claimed;
    return judgeDelivery(
      {
        isReaction: post.type !== 'message',
        isRemoval: post.type === 'reaction_remove',
        isReply: post.type === 'message' && post.replyTo !== undefined,
        attempts,
        ageMs,
        refusals,
      },
      answer,
    );
  }

  private async settle(claimed: ClaimedPost, verdict: Verdict): Promise<void> {
    const { bot, instance, room, key, part, attempts } = claimed;
    const about = { instance, bot, room, key, part, attempts };
    switch (verdict.next) {
      case 'sent':
        await this.outbox.sent(claimed);
        this.logger.info({ event: 'post.sent', ...about });
        return;
      case 'again':
        if (verdict.pauseMs !== undefined) await this.outbox.pause(bot, verdict.pauseMs);
        await this.outbox.again(claimed, verdict);
        this.logger.warn({ event: 'post.again', ...about, reason: verdict.reason, delayMs: verdict.delayMs });
        return;
      case 'failed':
        if (verdict.pauseMs !== undefined) await this.outbox.pause(bot, verdict.pauseMs);
        await this.outbox.failed(claimed, verdict.reason);
        this.logger.error({ event: 'post.failed', ...about, reason: verdict.reason });
        return;
      case 'refused': {
        const { reason, pauseMs } = verdict;
        const failed = await this.outbox.refused(claimed, reason, pauseMs);
        this.logger.error({ event: 'post.refused', ...about, reason, failed, pauseMs });
      }
    }
  }
}
