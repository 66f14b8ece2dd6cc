/** What has been started, to be ended in reverse order, so that nobody loses a neighbour that is still needed. */
export class Closing {
  private readonly steps: (() => Promise<unknown>)[] = [];
  private closed: Promise<void> | undefined;

  /** @returns `started`, so that a start reads as one line */
  add<T>(started: T, end: (started: T) => Promise<unknown> | void): T {
    this.steps.push(async () => {
      await end(started);
    });
    return started;
  }

  /**
   * Ends everything once, also what is added meanwhile; a step that fails does not keep the others from being ended.
   * @throws what the one failed step threw, or AggregateError for several
   */
  close(): Promise<void> {
    return (this.closed ??= this.endAll());
  }

  private async endAll(): Promise<void> {
    const failures: unknown[] = [];
    for (let step = this.steps.pop(); step; step = this.steps.pop()) {
      await step().catch((error: unknown) => failures.push(error));
    }
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1) throw new AggregateError(failures, 'Several parts could not be ended.');
  }
}
