import type { RequestedCall } from '@nuqloud/contracts';
import { needsConfirmation } from '@nuqloud/contracts';
import { canonicalJson } from '@nuqloud/platform';
import type { LoadedTool } from './loadout';

/** What becomes of one requested call. */
export type CallDecision =
  | {
      readonly kind: 'run';
      readonly call: RequestedCall;
      readonly tool: LoadedTool;
      readonly arguments: Record<string, unknown>;
    }
  | { readonly kind: 'answer'; readonly call: RequestedCall; readonly text: string };

/** A write that has been done in this turn, by its signature, with what it answered. */
export type DoneWrites = ReadonlyMap<string, string>;

/** What is wrong with the arguments by the tool's schema, in words for the model. */
export type ArgumentCheck = (tool: LoadedTool, args: Readonly<Record<string, unknown>>) => string | undefined;

export const callSignature = (name: string, args: Readonly<Record<string, unknown>>): string =>
  `${name} ${canonicalJson(args)}`;

/**
 * Decides every call of a batch before any of them runs. Nothing is guessed: an unknown name or
 * unreadable arguments go back to the model, a call that would need a confirmation is refused
 * with that reason, and an identical write is answered from its receipt.
 */
export const decideBatch = (
  calls: readonly RequestedCall[],
  tools: ReadonlyMap<string, LoadedTool>,
  doneWrites: DoneWrites,
  check: ArgumentCheck,
): CallDecision[] => {
  const seen = new Map(doneWrites);
  return calls.map((call) => {
    const decision = decide(call, tools, seen, check);
    if (decision.kind === 'run' && !decision.tool.policy.readOnly) {
      seen.set(
        callSignature(call.name, decision.arguments),
        'This identical call stands earlier in the same answer; it runs once.',
      );
    }
    return decision;
  });
};

const decide = (
  call: RequestedCall,
  tools: ReadonlyMap<string, LoadedTool>,
  doneWrites: DoneWrites,
  check: ArgumentCheck,
): CallDecision => {
  const answer = (text: string): CallDecision => ({ kind: 'answer', call, text });
  const tool = tools.get(call.name);
  if (!tool) {
    const known = [...tools.keys()].join(', ') || 'none';
    return answer(`There is no tool of that name; nothing was done. Available: ${known}.`);
  }
  const parsed = parseArguments(call.argumentsText);
  if ('problem' in parsed) return answer(`The call was not run: ${parsed.problem}`);
  if (tool.confirmAlways || needsConfirmation(tool.policy)) {
    return answer(
      'Nothing was done: this call needs the confirmation of the person, which this installation cannot ask for yet. Tell the person so.',
    );
  }
  const mistake = check(tool, parsed.arguments);
  if (mistake !== undefined) return answer(`The call was not run: ${mistake}`);
  const earlier = doneWrites.get(callSignature(call.name, parsed.arguments));
  if (!tool.policy.readOnly && earlier !== undefined) {
    return answer(`Not run a second time: the identical call was done already in this turn. ${earlier}`);
  }
  return { kind: 'run', call, tool, arguments: parsed.arguments };
};

/** Some models send nothing at all for "no arguments"; everything else must be a JSON object. */
export const parseArguments = (
  text: string,
): { arguments: Record<string, unknown> } | { problem: string } => {
  if (text.trim() === '') return { arguments: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message would quote the text; the model knows what it wrote.
    return { problem: 'its arguments are not valid JSON. Call it again with one JSON object, {} for none.' };
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return { problem: 'its arguments must be one JSON object, {} for none. Call it again so.' };
  }
  if (nestedDeeper(value, MAX_NESTING)) return { problem: 'its arguments are nested too deeply.' };
  if (!allWellFormed(value))
    return { problem: 'its arguments hold half a character. Call it again without.' };
  return { arguments: value as Record<string, unknown> };
};

/** No tool needs more, and whoever walks through the arguments may rely on it. */
const MAX_NESTING = 32;

const nestedDeeper = (value: unknown, levels: number): boolean =>
  value !== null &&
  typeof value === 'object' &&
  (levels === 0 || Object.values(value).some((inner) => nestedDeeper(inner, levels - 1)));

/** No text could carry them on, and no hash could be made over them. */
const allWellFormed = (value: unknown): boolean => {
  if (typeof value === 'string') return value.isWellFormed();
  if (value === null || typeof value !== 'object') return true;
  return Object.entries(value).every(([key, inner]) => key.isWellFormed() && allWellFormed(inner));
};

/** Neighbouring reads may run side by side, so many at once; a write runs alone and in its place. */
export const executionGroups = <T extends { readOnly: boolean }>(
  calls: readonly T[],
  parallel: number,
): T[][] => {
  const groups: T[][] = [];
  for (const call of calls) {
    const last = groups.at(-1);
    const joins = call.readOnly && last?.[0]?.readOnly === true && last.length < parallel;
    if (joins) last.push(call);
    else groups.push([call]);
  }
  return groups;
};
