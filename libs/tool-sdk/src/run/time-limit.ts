/** The answer needs this long to reach a caller who waits until the deadline, in milliseconds. */
const ANSWER_RESERVE_MS = 250;

/** The time that a call has. It ends what the call left open when it is over, and waits for nothing that goes on. */
export class TimeLimit {
  private readonly controller = new AbortController();
  private readonly expired: Promise<never>;
  private reject: (reason: Error) => void = () => undefined;
  private timer: NodeJS.Timeout | undefined;
  private deadline = Number.POSITIVE_INFINITY;

  /** @param late what the signal's reason and the rejection are */
  constructor(
    deadline: number,
    private readonly late: Error,
  ) {
    this.expired = new Promise<never>((_, reject) => (this.reject = reject));
    // Nobody may be racing when it fires.
    this.expired.catch(() => undefined);
    this.shorten(deadline);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** @param deadline milliseconds since the epoch; only an earlier one than before counts */
  shorten(deadline: number): void {
    if (deadline >= this.deadline) return;
    this.deadline = deadline;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.expire(), Math.max(0, deadline - Date.now() - ANSWER_RESERVE_MS));
  }

  /** Rejects with `late` when the time is up, whether the task listens to the signal or not; then none is begun. */
  async race<T>(task: () => Promise<T>): Promise<T> {
    this.signal.throwIfAborted();
    return Promise.race([task(), this.expired]);
  }

  /** The call is over. */
  end(): void {
    clearTimeout(this.timer);
    this.controller.abort(this.late);
  }

  private expire(): void {
    this.controller.abort(this.late);
    this.reject(this.late);
  }
}

/** Runs a task with a signal that fires shortly before the deadline. */
export const untilDeadline = async <T>(
  deadline: number,
  late: Error,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const time = new TimeLimit(deadline, late);
  try {
    return await time.race(() => task(time.signal));
  } finally {
    time.end();
  }
};
