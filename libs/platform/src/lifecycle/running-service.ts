/** A started service, as the all-in-one, the tests and its own main hold it. */
export interface RunningService {
  readonly name: string;
  /** Stops taking work, waits for what is in hand, then closes every connection. */
  close(): Promise<void>;
}
