import { BUS_ERRORS, BusError } from '../errors';

/**
 * At most `max` at once; up to `waiting` more stand in line, in order. Beyond that a caller is
 * told at once that the service is busy, which is better than an answer nobody waits for.
 */
export class InFlightLimit {
  private running = 0;
  private readonly queue: (() => void)[] = [];
  private readonly idle: (() => void)[] = [];

  constructor(
    private readonly max: number,
    private readonly waiting: number,
  ) {}

  /** @throws BusError OVERLOADED when the line is full */
  async run<T>(task: () => Promise<T>): Promise<T> {
    await this.enter();
    try {
      return await task();
    } finally {
      this.leave();
    }
  }

  get inFlight(): number {
    return this.running;
  }

  get queued(): number {
    return this.queue.length;
  }

  /** Resolves when nothing runs and nothing waits. */
  async drained(): Promise<void> {
    if (this.running === 0 && this.queue.length === 0) return;
    await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  private async enter(): Promise<void> {
    if (this.running < this.max) {
      this.running += 1;
      return;
    }
    if (this.queue.length >= this.waiting) {
      throw new BusError(
        BUS_ERRORS.OVERLOADED,
        'The service has too many requests in hand; try again shortly.',
      );
    }
    // The place is handed over by whoever leaves, so `running` does not change.
    await new Promise<void>((resolve) => this.queue.push(resolve));
  }

  private leave(): void {
    const next = this.queue.shift();
    if (next) return next();
    this.running -= 1;
    if (this.running === 0) for (const resolve of this.idle.splice(0)) resolve();
  }
}
