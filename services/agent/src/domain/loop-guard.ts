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

/** Circles of up to so many different batches are noticed. */
const LONGEST_CIRCLE = 3;

/**
 * Whether the model goes in circles: the last batch, or the last two or three in turn, came so often in a row that the
 * strictest loop threshold among their tools is reached.
 */
export const goesInCircles = (
  batches: readonly (readonly RequestedCall[])[],
  thresholdOf: (toolName: string) => number | undefined,
): boolean => {
  const signatures = batches.map(batchSignature);
  for (let length = 1; length <= Math.min(LONGEST_CIRCLE, batches.length); length += 1) {
    const thresholds = batches.slice(-length).flatMap((calls) => calls.map(({ name }) => thresholdOf(name)));
    const limit = Math.min(...thresholds.map((threshold) => threshold ?? STRICTEST));
    if (thresholds.length > 0 && rounds(signatures, length) >= limit) return true;
  }
  return false;
};

/** How often the last `length` came one after the other, the last time included. */
const rounds = (signatures: readonly string[], length: number): number => {
  let same = length;
  while (same < signatures.length && signatures.at(-1 - same) === signatures.at(-1 - same + length))
    same += 1;
  return Math.floor(same / length);
};

/** A model gets two more tries at arguments that nobody can read. */
const UNREADABLE_BATCHES = 3;

/** Whether the last batches held nothing but calls whose arguments are no JSON object. */
export const writesOnlyGarbage = (batches: readonly (readonly RequestedCall[])[]): boolean => {
  const last = batches.slice(-UNREADABLE_BATCHES);
  return last.length === UNREADABLE_BATCHES && last.every((calls) => calls.every(isUnreadable));
};

const isUnreadable = ({ argumentsText }: RequestedCall): boolean =>
  'problem' in parseArguments(argumentsText);
