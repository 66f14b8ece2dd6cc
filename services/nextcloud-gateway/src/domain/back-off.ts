import { readRetryAfter } from '@nuqloud/platform';

const DEFAULT_PAUSE_S = 10;
const LONGEST_PAUSE_S = 120;

/**
 * Which instances asked for less, and until when. Each replica learns it by itself: one request too many per
 * replica is harmless.
 */
export class BackOff {
  private readonly until = new Map<string, number>();

  /** @returns whole seconds for which nothing is to be sent, 0 for none */
  remainingS(instance: string, nowMs: number): number {
    const end = this.until.get(instance) ?? 0;
    if (end > nowMs) return Math.ceil((end - nowMs) / 1000);
    this.until.delete(instance);
    return 0;
  }

  /**
   * @param retryAfter the header's value: seconds, or a date
   * @returns the seconds of the pause
   */
  pause(instance: string, retryAfter: string | undefined, nowMs: number): number {
    const askedMs = readRetryAfter(retryAfter, nowMs);
    const askedS = askedMs === undefined ? DEFAULT_PAUSE_S : Math.ceil(askedMs / 1000);
    const seconds = Math.min(LONGEST_PAUSE_S, Math.max(1, askedS));
    this.until.set(instance, Math.max(this.until.get(instance) ?? 0, nowMs + seconds * 1000));
    return seconds;
  }
}
