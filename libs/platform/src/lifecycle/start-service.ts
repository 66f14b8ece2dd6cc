import { Closing } from './closing';
import type { RunningService } from './running-service';

/**
 * Starts a service of several parts. `open` adds each to the closing as soon as it is there: `close()` ends them in
 * reverse, and so does a start that fails half-way.
 * @param open returns what the running service tells beyond its name
 * @throws what `open` throws
 */
export const startService = async <More extends object>(
  name: string,
  open: (closing: Closing) => Promise<More>,
): Promise<RunningService & More> => {
  const closing = new Closing();
  try {
    return { ...(await open(closing)), name, close: () => closing.close() };
  } catch (error) {
    await closing.close().catch(() => undefined); // why it did not start says more than what then did not end
    throw error;
  }
};
