import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import { describeError, isAppError, waitUnlessStopped } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import type { AppGateway } from '../ports/app-gateway';
import type { AppStore } from '../ports/app-store';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** Nextcloud itself gives an app up after 40 minutes. */
const GIVE_UP_AFTER_MS = 40 * 60_000;

/**
 * Tells Nextcloud that the app is initialised. There is nothing to prepare: a process that answers is ready. What is due
 * stands in the database before Nextcloud hears that its call was taken, so a restart goes on with it.
 */
export class ReportInit {
  private readonly stopping = new AbortController();
  private readonly inHand = new Set<Promise<void>>();

  constructor(
    private readonly gateway: Pick<AppGateway, 'reportProgress' | 'isEnabled'>,
    private readonly store: Pick<AppStore, 'all' | 'setInitDue'>,
    private readonly logger: Logger,
    private readonly firstDelayMs = FIRST_DELAY_MS,
  ) {}

  /** Returns when it is certain that the report will be made. @throws what the store throws */
  async take(instance: string): Promise<void> {
    await this.store.setInitDue(instance, true);
    this.begin(instance);
  }

  /** Goes on with what a former process left. @throws what the store throws */
  async resume(): Promise<void> {
    for (const { instance, initDue } of await this.store.all()) if (initDue) this.begin(instance);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.inHand);
  }

  private begin(instance: string): void {
    const work: Promise<void> = this.report(instance).finally(() => this.inHand.delete(work));
    this.inHand.add(work);
  }

  private async report(instance: string): Promise<void> {
    const { signal } = this.stopping;
    const deadline = Date.now() + GIVE_UP_AFTER_MS;
    let delayMs = this.firstDelayMs;
    while (!signal.aborted && Date.now() < deadline && !(await this.isSettled(instance))) {
      await waitUnlessStopped(delayMs, signal);
      delayMs = Math.min(LONGEST_DELAY_MS, delayMs * 2);
    }
  }

  /** Whether nothing more is to be reported: Nextcloud has heard it, or waits for no report (any more). */
  private async isSettled(instance: string): Promise<boolean> {
    try {
      if (!(await this.isHeard(instance))) return false;
      this.logger.info({ event: 'app.init-reported', instance });
    } catch (error) {
      this.logger.warn({ event: 'app.init-not-reported', instance, ...describeError(error) });
      if (!isAppError(error) || error.retryable) return false;
    }
    return this.isKept(instance);
  }

  /** @throws AppError of the gateway */
  private async isHeard(instance: string): Promise<boolean> {
    try {
      await this.gateway.reportProgress(instance, 100);
      return true;
    } catch (error) {
      if (!isAppError(error, GATEWAY_REFUSALS.OUTCOME_UNKNOWN)) throw error;
      this.logger.warn({ event: 'app.init-not-reported', instance, ...describeError(error) });
      // Nextcloud enables the app before it answers: whether it has tells whether it heard us.
      return this.gateway.isEnabled(instance);
    }
  }

  private async isKept(instance: string): Promise<boolean> {
    try {
      await this.store.setInitDue(instance, false);
      return true;
    } catch (error) {
      this.logger.warn({ event: 'app.init-not-kept', instance, ...describeError(error) });
      return false;
    }
  }
}
