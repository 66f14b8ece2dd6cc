import { describeError } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import type { ClaimedPost, Outbox } from '../ports/outbox';
import type { DeliverPost } from './deliver-post';

/** Posts of other replicas that died, of failed wake-ups and of ended pauses are found this late. */
const POLL_MS = 500;
/** Rooms in which this process posts at the same time. */
const MAX_ROOMS = 16;
/** A call to Talk takes at most 10 s; who holds a post longer has died. */
const LEASE_MS = 15_000;

const HOUR_MS = 60 * 60 * 1_000;
/** A post's key is known this long, so that a repeated request is not posted again. */
const KEPT_MS = 7 * 24 * HOUR_MS;

/** Takes posts out of the outbox, room by room, in any number of replicas. */
export class DeliverOutbox {
  private readonly inHand = new Set<Promise<void>>();
  private readonly timers: NodeJS.Timeout[] = [];
  private claiming: Promise<void> = Promise.resolve();
  private isClaiming = false;
  private woken = false;
  private stopping = false;
  private reachable = true;

  constructor(
    private readonly outbox: Outbox,
    private readonly delivery: Pick<DeliverPost, 'deliver'>,
    private readonly logger: Logger,
    private readonly now: () => number = Date.now,
  ) {}

  start(): void {
    this.timers.push(
      setInterval(() => this.wake(), POLL_MS),
      setInterval(() => void this.forget(), HOUR_MS),
    );
    this.wake();
  }

  /** Claims nothing more and waits for the calls in hand. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.timers.forEach((timer) => clearInterval(timer));
    await this.claiming;
    await Promise.all(this.inHand);
  }

  /** There may be something to post. */
  wake(): void {
    this.woken = true;
    if (!this.isClaiming) this.claiming = this.claimAll();
  }

  /** A wake-up during a claim means one more: the claim may have been too early to see why. */
  private async claimAll(): Promise<void> {
    this.isClaiming = true;
    while (this.woken && !this.stopping) {
      this.woken = false;
      const free = MAX_ROOMS - this.inHand.size;
      if (free === 0) break; // whoever finishes wakes us
      for (const post of await this.claim(free)) this.take(post);
    }
    this.isClaiming = false;
  }

  private async claim(limit: number): Promise<ClaimedPost[]> {
    try {
      const posts = await this.outbox.claim(limit, LEASE_MS, new Date(this.now()));
      if (!this.reachable) this.logger.info({ event: 'outbox.store-back' });
      this.reachable = true;
      return posts;
    } catch (error) {
      if (this.reachable) this.logger.error({ event: 'outbox.store-away', ...describeError(error) });
      this.reachable = false;
      return [];
    }
  }

  private take(post: ClaimedPost): void {
    const work = this.deliver(post).finally(() => {
      this.inHand.delete(work);
      this.wake();
    });
    this.inHand.add(work);
  }

  private async deliver(post: ClaimedPost): Promise<void> {
    try {
      await this.delivery.deliver(post);
    } catch (error) {
      // Its outcome could not be recorded. When the lease has run out it is posted again: twice rather than never.
      const { instance, room, key, part } = post;
      this.logger.error({ event: 'post.unsettled', instance, room, key, part, ...describeError(error) });
    }
  }

  private async forget(): Promise<void> {
    try {
      await this.outbox.forget(KEPT_MS);
    } catch (error) {
      this.logger.warn({ event: 'outbox.not-forgotten', ...describeError(error) });
    }
  }
}
