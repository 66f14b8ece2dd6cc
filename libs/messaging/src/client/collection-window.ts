/** How long a collection waits; all values in milliseconds. */
export interface CollectionWindow {
  /** Nobody is waited for longer than this. */
  readonly maxWaitMs: number;
  /** When few are missing they get at least this long after the question. */
  readonly graceMs: number;
}

/** So many silent responders may be left behind after the grace; more of them look like a slow moment. */
const FEW = 2;

/**
 * When to stop waiting, as milliseconds after the question: at once when everybody expected has
 * answered, soon when only few are missing, at the end otherwise. With nobody expected
 * there is nothing to tell the last answer by, so the whole window is used.
 */
export const waitUntil = (
  window: CollectionWindow,
  state: { expected: number; missing: number; lastAnswerMs: number },
): number => {
  if (state.expected === 0) return window.maxWaitMs;
  if (state.missing === 0) return 0;
  const someAnswered = state.missing < state.expected;
  if (state.missing > FEW || !someAnswered) return window.maxWaitMs;
  return Math.min(window.maxWaitMs, Math.max(window.graceMs, 2 * state.lastAnswerMs));
};
