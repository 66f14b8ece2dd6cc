import { setTimeout as sleep } from 'node:timers/promises';

/** Waits, or ends at once when `signal` aborts: a stop ends a wait and is no failure. */
export const waitUnlessStopped = async (ms: number, signal: AbortSignal): Promise<void> => {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
};
