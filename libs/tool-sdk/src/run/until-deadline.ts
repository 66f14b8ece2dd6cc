/** The answer needs this long to reach a caller who waits until the deadline, in milliseconds. */
const ANSWER_RESERVE_MS = 250;

/**
 * Runs a task with a signal that fires shortly before the deadline, and does not wait for a
 * task that goes on all the same. What the task left open ends with it.
 * @param late what the signal's reason and the rejection are
 */
export const untilDeadline = async <T>(
  deadline: number,
  late: Error,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    const remaining = Math.max(0, deadline - Date.now() - ANSWER_RESERVE_MS);
    timer = setTimeout(() => {
      controller.abort(late);
      reject(late);
    }, remaining);
  });
  try {
    return await Promise.race([task(controller.signal), expired]);
  } finally {
    clearTimeout(timer);
    controller.abort(late);
  }
};
