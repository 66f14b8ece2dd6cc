import type { Proposal, RequestedCall } from '@nuqloud/contracts';
import { needsConfirmation } from '@nuqloud/contracts';
import { canonicalJson } from '@nuqloud/platform';
import type { LoadedTool } from './loadout';
import { nestedDeeper } from './nesting';

/** What becomes of one requested call. */
export type CallDecision =
  | {
      readonly kind: 'run';
      readonly call: RequestedCall;
      readonly tool: LoadedTool;
      readonly arguments: Record<string, unknown>;
    }
  | { readonly kind: 'propose'; readonly call: RequestedCall; readonly proposal: Proposal }
  | { readonly kind: 'answer'; readonly call: RequestedCall; readonly text: string };

/** A write that has been done in this turn, by its signature, with what it answered. */
export type DoneWrites = ReadonlyMap<string, string>;

/** What is wrong with the arguments by the tool's schema, in words for the model. */
export type ArgumentCheck = (tool: LoadedTool, args: Readonly<Record<string, unknown>>) => string | undefined;

export const callSignature = (name: string, args: Readonly<Record<string, unknown>>): string =>
  `${name} ${canonicalJson(args)}`;

/** What the calls of a batch are decided by. */
export interface BatchFacts {
  readonly tools: ReadonlyMap<string, LoadedTool>;
  readonly doneWrites: DoneWrites;
  readonly check: ArgumentCheck;
  /** Our own providers plan each call themselves; of anybody else's tools the policy alone decides. */
  readonly isCore: (provider: string) => boolean;
  /** Sources of foreign content before the model. */
  readonly taint: readonly string[];
}

/**
 * Decides every call of a batch before any of them runs. Nothing is guessed: an unknown name or
 * unreadable arguments go back to the model, a third party's call that needs a confirmation is proposed
 * to the person, and an identical write is answered from its receipt.
 */
export const decideBatch = (calls: readonly RequestedCall[], facts: BatchFacts): CallDecision[] => {
  const seen = new Map(facts.doneWrites);
  const decided: CallDecision[] = [];
  for (const call of calls) {
    const { decision, signature } = decide(call, { ...facts, doneWrites: seen });
    decided.push(decision);
    if (signature === undefined) continue;
    seen.set(signature, 'This identical call stands earlier in the same answer; it runs once.');
  }
  return decided;
};

/** `signature` is given for a write that is going to run or to be proposed. */
const decide = (
  call: RequestedCall,
  { tools, doneWrites, check, isCore, taint }: BatchFacts,
): { decision: CallDecision; signature?: string } => {
  const answer = (text: string) => ({ decision: { kind: 'answer', call, text } as const });
  const tool = tools.get(call.name);
  if (!tool) {
    const known = [...tools.keys()].join(', ') || 'none';
    return answer(`There is no tool of that name; nothing was done. Available: ${known}.`);
  }
  const parsed = parseArguments(call.argumentsText);
  if ('problem' in parsed) return answer(`The call was not run: ${parsed.problem}`);
  const mistake = check(tool, parsed.arguments);
  if (mistake !== undefined) return answer(`The call was not run: ${mistake}`);
  const signature = callSignature(call.name, parsed.arguments);
  const earlier = doneWrites.get(signature);
  if (!tool.policy.readOnly && earlier !== undefined) {
    return answer(`Not run a second time: the identical call was done already in this turn. ${earlier}`);
  }
  const asks = !isCore(tool.provider) && asksOfThirdParty(tool, taint);
  const decision: CallDecision = asks
    ? { kind: 'propose', call, proposal: proposalOf(tool, parsed.arguments, taint) }
    : { kind: 'run', call, tool, arguments: parsed.arguments };
  return { decision, ...(!tool.policy.readOnly && { signature }) };
};

/** Nobody here can say whether a third party's write can be seen by others: in a tainted turn each asks. */
const asksOfThirdParty = ({ policy, confirmAlways }: LoadedTool, taint: readonly string[]): boolean =>
  confirmAlways || needsConfirmation(policy) || (taint.length > 0 && !policy.readOnly);

const proposalOf = (
  { provider, definition: { name, label } }: LoadedTool,
  args: Record<string, unknown>,
  taint: readonly string[],
): Proposal => ({
  call: { provider, tool: name, label: label ?? name, arguments: args, sources: [...taint] },
});

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
    return {
      problem:
        'its arguments are not valid JSON, or too long for one answer. Call it again with one JSON object, {} for none.',
    };
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
