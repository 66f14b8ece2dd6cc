import type { Logger } from '@nuqloud/platform';
import type { AppBots } from '../app-life-cycle/app-bots';
import type { BotDirectory } from '../bots/bot-directory';
import { judgeDelivery, mayHavePosted } from '../domain/judge-delivery';
import type { TalkAnswer, Verdict } from '../domain/judge-delivery';
import type { IngressMetrics } from '../observe/ingress-metrics';
import type { ClaimedPost, Outbox } from '../ports/outbox';
import type { TalkBotApi } from '../ports/talk-bot-api';

/** What came of a try, and when that was known. */
interface Attempt {
  readonly verdict: Verdict;
  readonly at: Date;
  readonly maybePosted: boolean;
}

const WITH_THE_NEW_SECRET: Verdict = {
  next: 'again',
  reason: 'SECRET_REPLACED',
  delayMs: 0,
  withoutReply: false,
};

const isSignatureRefused = (answer: TalkAnswer): boolean => 'status' in answer && answer.status === 401;

/** Tries one claimed post and records what came of it. */
export class DeliverPost {
  constructor(
    private readonly bots: Pick<BotDirectory, 'findFresh'>,
    private readonly appBots: Pick<AppBots, 'storedSecret' | 'hasOther'>,
    private readonly talk: Pick<TalkBotApi, 'call'>,
    private readonly outbox: Outbox,
    private readonly metrics: IngressMetrics,
    private readonly logger: Logger,
    private readonly now: () => number = Date.now,
  ) {}

  /** @throws what the outbox throws; the post is then claimed again when its lease has run out */
  async deliver(claimed: ClaimedPost): Promise<void> {
    const attempt = await this.attempt(claimed);
    await this.settle(claimed, attempt);
    this.metrics.posts.inc({ bot: claimed.bot, outcome: attempt.verdict.next });
  }

  private async attempt(claimed: ClaimedPost): Promise<Attempt> {
    const { post, room, referenceId } = claimed;
    if (!post) return this.notTried('UNREADABLE');
    const bot = await this.bots.findFresh(claimed.bot);
    // A bot that has moved to another Nextcloud since: what waits belongs into a room of the former one.
    if (bot?.instance !== claimed.instance) return this.notTried('UNKNOWN_BOT');
    const throughApp = claimed.throughApp || bot.secret === undefined;
    const secret = throughApp ? this.appSecret(claimed) : bot.secret;
    // Trying with another secret would only count against our address.
    if (secret === undefined) return this.notTried('APP_DISABLED');
    const { instanceUrl } = bot;
    const answer = await this.talk.call({ instanceUrl, secret, room, post, referenceId });
    const at = new Date(this.now());
    if (throughApp && isSignatureRefused(answer) && (await this.appBots.hasOther(claimed.instance, secret)))
      return { verdict: WITH_THE_NEW_SECRET, at, maybePosted: false };
    const { attempts, ageMs, refusals } = claimed;
    const verdict = judgeDelivery(
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
    return { verdict, at, maybePosted: mayHavePosted(answer) };
  }

  private appSecret({ instance, sealedAppSecret }: ClaimedPost): string | undefined {
    return this.appBots.storedSecret({ instance, sealedSecret: sealedAppSecret });
  }

  private notTried(reason: string): Attempt {
    return { verdict: { next: 'failed', reason }, at: new Date(this.now()), maybePosted: false };
  }

  private async settle(claimed: ClaimedPost, { verdict, at, maybePosted }: Attempt): Promise<void> {
    const { bot, instance, room, key, part, attempts } = claimed;
    const about = { instance, bot, room, key, part, attempts };
    switch (verdict.next) {
      case 'sent':
        await this.outbox.sent(claimed, at);
        this.logger.info({ event: 'post.sent', ...about });
        return;
      case 'again':
        if (verdict.pauseMs !== undefined) await this.outbox.pause(bot, verdict.pauseMs);
        await this.outbox.again(claimed, { ...verdict, maybePosted });
        this.logger.warn({ event: 'post.again', ...about, reason: verdict.reason, delayMs: verdict.delayMs });
        return;
      case 'failed':
        if (verdict.pauseMs !== undefined) await this.outbox.pause(bot, verdict.pauseMs);
        await this.outbox.failed(claimed, verdict.reason, maybePosted);
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
