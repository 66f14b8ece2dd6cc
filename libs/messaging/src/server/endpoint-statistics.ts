/** What the Services API shows beside its own numbers, which know nothing of asynchronous work. */
export interface EndpointNumbers {
  readonly answered: number;
  readonly failed: number;
  readonly averageMs: number;
  readonly lastError: string | null;
}

export class EndpointStatistics {
  private answered = 0;
  private failed = 0;
  private totalMs = 0;
  private lastError: string | null = null;

  count(durationMs: number, failedWith: string | undefined): void {
    this.totalMs += durationMs;
    if (failedWith === undefined) {
      this.answered += 1;
    } else {
      this.failed += 1;
      this.lastError = failedWith;
    }
  }

  get numbers(): EndpointNumbers {
    const all = this.answered + this.failed;
    return {
      answered: this.answered,
      failed: this.failed,
      averageMs: all === 0 ? 0 : Math.round((this.totalMs / all) * 100) / 100,
      lastError: this.lastError,
    };
  }
}
