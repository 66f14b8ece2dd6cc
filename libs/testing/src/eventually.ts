import { setTimeout as sleep } from 'node:timers/promises';

const INTERVAL_MS = 20;

/** What a check may return. A check that returns nothing is refused by the compiler: it could never fail. */
type CheckResult = object | string | number | bigint | boolean | null | undefined;

export interface EventuallyOptions {
  /** What is waited for, as the subject of "… did not happen within 5000 ms". */
  describe: string;
  /** Milliseconds after which waiting ends with an error; 5000 unless told. */
  deadlineMs?: number;
}

/**
 * Calls `check` until it returns something other than `false`, `null` or `undefined`, and returns that.
 * A check that throws counts as "not yet"; its last error is the cause of the error after the deadline.
 */
export async function eventually<T extends CheckResult>(
  check: () => T | Promise<T>,
  { describe, deadlineMs = 5_000 }: EventuallyOptions,
): Promise<Exclude<T, false | null | undefined>> {
  const deadline = Date.now() + deadlineMs;
  let lastError: unknown;
  do {
    try {
      const result = await check();
      lastError = undefined;
      if (holds(result)) return result;
    } catch (error) {
      lastError = error;
    }
    await sleep(INTERVAL_MS);
  } while (Date.now() < deadline);

  const reason = lastError instanceof Error ? `: ${lastError.message}` : '';
  throw new Error(`${describe} did not happen within ${deadlineMs} ms${reason}`, { cause: lastError });
}

function holds<T>(result: T): result is Exclude<T, false | null | undefined> {
  return result !== false && result !== null && result !== undefined;
}
