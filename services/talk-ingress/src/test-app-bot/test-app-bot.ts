import { describeError, isAppError, waitUnlessStopped } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import type { AppBots } from '../app-life-cycle/app-bots';
import type { BotDirectory } from '../bots/bot-directory';
import type { TalkAnswer } from '../domain/judge-delivery';
import type { IngressMetrics } from '../observe/ingress-metrics';
import type { AppGateway } from '../ports/app-gateway';
import type { AppStore, StoredApp } from '../ports/app-store';
import type { TalkBotApi } from '../ports/talk-bot-api';

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 5 * 60_000;

/** Taking back a reaction that nobody gave changes nothing, and Talk looks at the signature first. */
const NO_MESSAGE = '9007199254740991';
const PROBE = { type: 'reaction_remove', messageId: NO_MESSAGE, reaction: '👀' } as const;

/**
 * - `ANSWERS`: Talk takes its signature.
 * - `REGISTERED`: it has its secret; no room is known yet in which to try it.
 * - `REFUSED`: Talk does not take its signature in the room tried: it was removed there, disabled, or may not answer.
 * - `DISABLED`: the app is not enabled in Nextcloud.
 * - `UNKNOWN`: Talk did not say.
 */
export type AppBotHealth = 'ANSWERS' | 'REGISTERED' | 'REFUSED' | 'DISABLED' | 'UNKNOWN';

/**
 * After a start: can the bots that are registered through AppAPI still answer? A secret that was lost or has changed is
 * fetched again, because a bot that hears and cannot speak is noticed by nobody but the people who wait.
 */
export class TestAppBot {
  private readonly stopping = new AbortController();
  private testing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly gateway: Pick<AppGateway, 'isEnabled'>,
    private readonly appBots: Pick<AppBots, 'register' | 'forget'>,
    private readonly store: Pick<AppStore, 'all' | 'latestRoom'>,
    private readonly bots: Pick<BotDirectory, 'ofApp'>,
    private readonly talk: TalkBotApi,
    private readonly metrics: IngressMetrics,
    private readonly logger: Logger,
  ) {}

  /** Tests in the background, and again while what is in the way passes. @throws what the store throws */
  async start(): Promise<void> {
    const apps = (await this.store.all()).filter(({ bot }) => bot !== null);
    this.testing = Promise.all(apps.map((app) => this.testUntilKnown(app)));
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.testing;
  }

  private async testUntilKnown(app: StoredApp): Promise<void> {
    const { signal } = this.stopping;
    for (let delayMs = FIRST_DELAY_MS; !signal.aborted; delayMs = Math.min(LONGEST_DELAY_MS, delayMs * 2)) {
      if (await this.isTested(app)) return;
      await waitUnlessStopped(delayMs, signal);
    }
  }

  private async isTested({ instance, bot }: StoredApp): Promise<boolean> {
    const about = { event: 'app-bot.self-test', instance, bot: bot?.slug };
    try {
      const { result, isNew } = await this.test(instance);
      this.metrics.appBotCanAnswer.set({ instance }, result === 'ANSWERS' || result === 'REGISTERED' ? 1 : 0);
      this.logger[result === 'REFUSED' ? 'error' : 'info']({ ...about, result, secretReplaced: isNew });
      return result !== 'UNKNOWN';
    } catch (error) {
      this.metrics.appBotCanAnswer.set({ instance }, 0);
      this.logger.warn({ ...about, result: 'UNKNOWN', ...describeError(error) });
      // For good, until Nextcloud calls: the app is not registered there yet, or with another secret.
      return isAppError(error) && !error.retryable;
    }
  }

  /** @throws AppError of the gateway; what the store throws */
  private async test(instance: string): Promise<{ result: AppBotHealth; isNew: boolean }> {
    if (!(await this.gateway.isEnabled(instance))) {
      await this.appBots.forget(instance);
      return { result: 'DISABLED', isNew: false };
    }
    const registration = await this.appBots.register(instance);
    const bot = this.bots.ofApp(instance);
    if (!registration || !bot) return { result: 'DISABLED', isNew: false };
    const { secret, isNew } = registration;
    const room = await this.store.latestRoom(instance, bot.slug);
    if (room === undefined) return { result: 'REGISTERED', isNew };
    const { instanceUrl } = bot;
    const answer = await this.talk.call({ instanceUrl, secret, room, post: PROBE, referenceId: '' });
    return { result: healthBy(answer), isNew };
  }
}

const healthBy = (answer: TalkAnswer): AppBotHealth => {
  if ('unreachable' in answer) return 'UNKNOWN';
  if (answer.status === 401) return 'REFUSED';
  // 404: there is no such message, which it says only to a bot whose signature it took.
  return answer.status === 404 || answer.status === 200 ? 'ANSWERS' : 'UNKNOWN';
};
