import type { RequestedCall } from '@nuqloud/contracts';
import { canonicalJson } from '@nuqloud/platform';
import { parseArguments } from './tool-batch';

/** A batch of an unknown or unreadable call counts like a write. */
const STRICTEST = 4;

/** Two batches with the same calls are the same, whatever the order of calls, keys and spaces. */
export const batchSignature = (calls: readonly RequestedCall[]): string =>
  calls
    .map(({ name, argumentsText }) => {
      const parsed = parseArguments(argumentsText);
      return `${name} ${'arguments' in parsed ? canonicalJson(parsed.arguments) : argumentsText.trim()}`;
    })
    .sort()
    .join('\n');

/**
 * Whether the model goes in circles: the last batch came so often in a row that the strictest
 * loop threshold among its tools is reached.
 */
export const goesInCircles = (
  batches: readonly (readonly RequestedCall[])[],
  thresholdOf: (toolName: string) => number | undefined,
): boolean => {
  const last = batches.at(-1);
  if (!last || last.length === 0) return false;
  const signature = batchSignature(last);
  let repeats = 0;
  for (let i = batches.length - 1; i >= 0 && batchSignature(batches[i] ?? []) === signature; i -= 1)
    repeats += 1;
  return repeats >= Math.min(...last.map(({ name }) => thresholdOf(name) ?? STRICTEST));
};
