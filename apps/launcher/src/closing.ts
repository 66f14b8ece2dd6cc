/** What has been started, to be ended in reverse order, whatever ends the command. */
export class Closing {
  private readonly steps: (() => Promise<void>)[] = [];
  private closed: Promise<void> | undefined;

  add<T>(started: T, end: (started: T) => Promise<unknown>): T {
    this.steps.push(async () => {
      await end(started);
    });
    return started;
  }

  /** Ends everything once; one step that fails does not keep the others from being ended. */
  close(): Promise<void> {
    return (this.closed ??= this.endAll());
  }

  private async endAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const step of this.steps.reverse()) await step().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw new AggregateError(failures, 'Not everything could be ended.');
  }
}
