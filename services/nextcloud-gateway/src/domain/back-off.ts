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
    const asked = secondsOf(retryAfter, nowMs) ?? DEFAULT_PAUSE_S;
    const seconds = Math.min(LONGEST_PAUSE_S, Math.max(1, asked));
    this.until.set(instance, Math.max(this.until.get(instance) ?? 0, nowMs + seconds * 1000));
    return seconds;
  }
}

const secondsOf = (retryAfter: string | undefined, nowMs: number): number | undefined => {
  if (retryAfter === undefined) return undefined;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? undefined : Math.ceil((date - nowMs) / 1000);
};
