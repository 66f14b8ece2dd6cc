import type {
  ActionReport,
  AnsweredCall,
  AskPurpose,
  Proposal,
  RequestedCall,
  TurnStep,
} from '@nuqloud/contracts';
import { MODEL_FAILURES } from './model-failures';
import { goesInCircles, writesOnlyGarbage } from './loop-guard';

/** Model calls with tools that one message may cost. */
export const MAX_MODEL_CALLS = 20;
/** A turn lasts at most this long, in milliseconds. */
export const MAX_TURN_MS = 10 * 60 * 1000;

type UndoStep = Extract<TurnStep, { kind: 'undo' }>;

/** What a turn does next. */
export type Move =
  | { readonly kind: 'ask'; readonly purpose: AskPurpose }
  | { readonly kind: 'run'; readonly calls: readonly RequestedCall[] }
  /** Ask the person for a "yes" to what was proposed. */
  | { readonly kind: 'propose' }
  /** Carry out what the person said "yes" to. */
  | { readonly kind: 'act'; readonly confirmation: string }
  | ({ readonly kind: 'undo' } & Omit<UndoStep['request'], 'v'>)
  | {
      readonly kind: 'reply';
      readonly text: string;
      readonly outcome: 'answered' | 'failed';
      /** The text stands in the room already. */
      readonly posted?: boolean | undefined;
    };

/** Why a turn ends without an answer of the model. */
export type Shortfall =
  | 'model-down'
  | 'model-busy'
  | 'model-refused'
  | 'too-long'
  | 'filtered'
  | 'written-call'
  | 'budget'
  | 'time'
  | 'empty';

export interface TurnFacts {
  /** What a turn begins with. */
  readonly first: Move;
  readonly timeIsUp: boolean;
  /** Loop threshold of a loaded tool. */
  readonly thresholdOf: (toolName: string) => number | undefined;
  readonly isSearch: (toolName: string) => boolean;
  /** Whether an answer without any search must be tried again with one. */
  readonly mustSearch: boolean;
  /** Whether an answer is a tool call that was written as text. */
  readonly isWrittenCall: (text: string) => boolean;
  /** The words under an answer that the model could not finish. */
  readonly cutOff: (text: string) => string;
  /** The last words when the model has none, in the person's language. */
  readonly lastWords: (shortfall: Shortfall, found: readonly AnsweredCall[]) => string;
  readonly reportWords: (reports: readonly ActionReport[]) => string;
  readonly undoWords: (target: string, answer: AnsweredCall) => string;
}

/** The next move of a turn, from its completed steps alone: a resumed turn goes on exactly where it stood. */
export const nextMove = (steps: readonly TurnStep[], facts: TurnFacts): Move => {
  const last = steps.at(-1);
  if (!last) return facts.first;
  switch (last.kind) {
    case 'model':
      return afterModel(steps, last, facts);
    case 'tools':
      return proposalsOf(last).length > 0 ? { kind: 'propose' } : afterTools(steps, facts);
    case 'propose':
      return afterPropose(last);
    case 'act':
      return afterAct(last, facts);
    case 'undo':
      return proposalsOf(last).length > 0 ? { kind: 'propose' } : afterUndo(last, facts);
    case 'reply': {
      const { text, outcome, posted } = last.request;
      return { kind: 'reply', text, outcome, ...(posted && { posted }) };
    }
  }
};

type ModelStep = Extract<TurnStep, { kind: 'model' }>;

const afterModel = (steps: readonly TurnStep[], last: ModelStep, facts: TurnFacts): Move => {
  const { purpose } = last.request;
  const found = answersOf(steps);
  if (!last.result || last.result.failure !== undefined)
    return giveUp(facts.timeIsUp ? 'time' : failureOf(last), found, facts);
  const { text, toolCalls, cutOff } = last.result;
  if (toolCalls.length > 0 && purpose !== 'synthesis') return { kind: 'run', calls: toolCalls };
  if (facts.isWrittenCall(text)) {
    const askedAlready = purpose === 'synthesis' || steps.some(isRealCall);
    return askedAlready ? giveUp('written-call', found, facts) : ask('real-call');
  }
  if (purpose === 'answer' && facts.mustSearch && !searched(steps, facts)) return ask('forced-search');
  if (text.trim() !== '')
    return { kind: 'reply', text: cutOff ? facts.cutOff(text) : text, outcome: 'answered' };
  if (purpose !== 'synthesis' && found.length > 0) return ask('synthesis');
  return giveUp(purpose === 'synthesis' && found.length > 0 ? 'budget' : 'empty', found, facts);
};

const isRealCall = (step: TurnStep): boolean => step.kind === 'model' && step.request.purpose === 'real-call';

/** An endpoint that refuses will refuse again, which an administrator must mend; one that is away comes back. */
const failureOf = ({ result }: ModelStep): Shortfall => {
  switch (result?.failure) {
    case MODEL_FAILURES.UNAUTHORIZED:
    case MODEL_FAILURES.NOT_FOUND:
    case MODEL_FAILURES.REFUSED:
      return 'model-refused';
    case MODEL_FAILURES.BUSY:
      return 'model-busy';
    case MODEL_FAILURES.TOO_LONG:
      return 'too-long';
    case MODEL_FAILURES.FILTERED:
      return 'filtered';
    default:
      return 'model-down';
  }
};

const afterTools = (steps: readonly TurnStep[], facts: TurnFacts): Move => {
  if (facts.timeIsUp) return giveUp('time', answersOf(steps), facts);
  const spent = steps.filter(({ kind }) => kind === 'model').length >= MAX_MODEL_CALLS;
  const batches = batchesOf(steps);
  const getsNowhere = goesInCircles(batches, facts.thresholdOf) || writesOnlyGarbage(batches);
  return ask(spent || getsNowhere ? 'synthesis' : 'answer');
};

/** The prompt is the answer: the turn ends with it, and no model is asked about the "yes". */
const afterPropose = ({ result }: Extract<TurnStep, { kind: 'propose' }>): Move => ({
  kind: 'reply',
  text: result?.text ?? '',
  ...(result?.confirmation === undefined ? { outcome: 'failed' } : { outcome: 'answered', posted: true }),
});

const afterAct = ({ result }: Extract<TurnStep, { kind: 'act' }>, facts: TurnFacts): Move => {
  const reports = result?.reports ?? [];
  const allDone = reports.length > 0 && reports.every(({ state }) => state === 'done');
  return { kind: 'reply', text: facts.reportWords(reports), outcome: allDone ? 'answered' : 'failed' };
};

const afterUndo = ({ request, result }: UndoStep, facts: TurnFacts): Move =>
  result
    ? {
        kind: 'reply',
        text: facts.undoWords(request.target, result.answer),
        outcome: result.answer.isError ? 'failed' : 'answered',
      }
    : giveUp('empty', [], facts);

/** What a batch, or an undoing, wants the person to be asked. */
export const proposalsOf = (step: TurnStep): Proposal[] =>
  answersIn(step).flatMap(({ proposal }) => (proposal === undefined ? [] : [proposal]));

const answersIn = (step: TurnStep): readonly AnsweredCall[] => {
  if (step.kind === 'tools') return step.result?.answers ?? [];
  return step.kind === 'undo' && step.result ? [step.result.answer] : [];
};

const searched = (steps: readonly TurnStep[], facts: TurnFacts): boolean =>
  steps.some((step) => step.kind === 'model' && step.request.purpose === 'forced-search') ||
  batchesOf(steps).some((calls) => calls.some(({ name }) => facts.isSearch(name)));

const ask = (purpose: AskPurpose): Move => ({ kind: 'ask', purpose });

const giveUp = (shortfall: Shortfall, found: readonly AnsweredCall[], facts: TurnFacts): Move => ({
  kind: 'reply',
  text: facts.lastWords(shortfall, found),
  outcome: 'failed',
});

export const batchesOf = (steps: readonly TurnStep[]): RequestedCall[][] =>
  steps.flatMap((step) => (step.kind === 'tools' ? [step.request.calls] : []));

export const answersOf = (steps: readonly TurnStep[]): AnsweredCall[] => steps.flatMap(answersIn);

/** Writes done in this turn and what they answered. */
export const doneWritesOf = (steps: readonly TurnStep[]): Map<string, string> =>
  new Map(
    answersOf(steps).flatMap(({ doneWrite, text }) => (doneWrite === undefined ? [] : [[doneWrite, text]])),
  );
