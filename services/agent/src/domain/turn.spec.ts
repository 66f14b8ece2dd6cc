import type { AnsweredCall, RequestedCall, TurnStep } from '@nuqloud/contracts';
import { MAX_MODEL_CALLS, nextMove } from './turn';
import type { TurnFacts } from './turn';

const facts: TurnFacts = {
  timeIsUp: false,
  thresholdOf: (name) => ({ search: 10, read: 8, write: 4 })[name],
  isSearch: (name) => name === 'search',
  mustSearch: false,
  cutOff: (text) => `${text} (cut off)`,
  lastWords: (shortfall, found) => `${shortfall}:${found.length}`,
};

const call = (name: string, argumentsText = '{}'): RequestedCall => ({ id: '1', name, argumentsText });
const model = (
  text: string,
  toolCalls: RequestedCall[] = [],
  purpose: 'answer' | 'forced-search' | 'synthesis' = 'answer',
): TurnStep => ({
  kind: 'model',
  request: { v: 1, purpose },
  result: { v: 1, text, toolCalls },
});
const failed = (): TurnStep => ({
  kind: 'model',
  request: { v: 1, purpose: 'answer' },
  result: { v: 1, text: '', toolCalls: [], failure: 'MODEL.TIMEOUT' },
});
const answer: AnsweredCall = { id: '1', name: 'read', text: 'a, b', isError: false };
const ran = (...calls: RequestedCall[]): TurnStep => ({
  kind: 'tools',
  request: { v: 1, calls },
  result: { v: 1, answers: calls.map(() => answer) },
});
const rounds = (count: number, name: string, text = (_round: number) => '{}'): TurnStep[] =>
  Array.from({ length: count }, (_unused, round) => [
    model('', [call(name, text(round))]),
    ran(call(name, text(round))),
  ]).flat();

it('begins with a question to the model', () => {
  expect(nextMove([], facts)).toEqual({ kind: 'ask', purpose: 'answer' });
});

it('runs the calls the model wants, then asks again', () => {
  expect(nextMove([model('', [call('read')])], facts)).toEqual({ kind: 'run', calls: [call('read')] });
  expect(nextMove(rounds(1, 'read'), facts)).toEqual({ kind: 'ask', purpose: 'answer' });
});

it('says what the model says', () => {
  expect(nextMove([model('Hello')], facts)).toEqual({ kind: 'reply', text: 'Hello', outcome: 'answered' });
});

it.each([
  ['search', 10],
  ['read', 8],
  ['write', 4],
  ['unknown', 4],
])('stops a model that goes in circles with %s after %i identical batches', (name, threshold) => {
  expect(nextMove(rounds(threshold - 1, name), facts)).toEqual({ kind: 'ask', purpose: 'answer' });
  expect(nextMove(rounds(threshold, name), facts)).toEqual({ kind: 'ask', purpose: 'synthesis' });
});

it('sees the same batch through another order of keys and spaces', () => {
  const texts = ['{"a":1,"b":2}', '{ "b": 2, "a": 1 }'];
  expect(
    nextMove(
      rounds(4, 'write', (round) => texts[round % 2] ?? ''),
      facts,
    ),
  ).toMatchObject({ purpose: 'synthesis' });
});

it('does not count different arguments as a circle, but ends at the budget', () => {
  const different = (round: number) => `{"page":${round}}`;
  expect(nextMove(rounds(MAX_MODEL_CALLS - 1, 'read', different), facts)).toEqual({
    kind: 'ask',
    purpose: 'answer',
  });
  expect(nextMove(rounds(MAX_MODEL_CALLS, 'read', different), facts)).toEqual({
    kind: 'ask',
    purpose: 'synthesis',
  });
});

it('never runs tools after the last question', () => {
  const steps = [...rounds(8, 'read'), model('', [call('read')], 'synthesis')];
  expect(nextMove(steps, facts)).toEqual({ kind: 'reply', text: 'budget:8', outcome: 'failed' });
});

it('has last words when the model is down, with what was found', () => {
  expect(nextMove([failed()], facts)).toEqual({ kind: 'reply', text: 'model-down:0', outcome: 'failed' });
  expect(nextMove([...rounds(2, 'read'), failed()], facts)).toMatchObject({ text: 'model-down:2' });
});

it('says that an answer was cut off, and that an endpoint refuses', () => {
  const long: TurnStep = {
    ...model('Hello'),
    result: { v: 1, text: 'Hello', toolCalls: [], cutOff: true },
  } as TurnStep;
  expect(nextMove([long], facts)).toMatchObject({ kind: 'reply', text: 'Hello (cut off)' });
  const refused = {
    ...failed(),
    result: { v: 1, text: '', toolCalls: [], failure: 'MODEL.REFUSED' },
  } as TurnStep;
  expect(nextMove([refused], facts)).toMatchObject({ text: 'model-refused:0', outcome: 'failed' });
});

it('has last words when the time is up', () => {
  expect(nextMove(rounds(1, 'read'), { ...facts, timeIsUp: true })).toMatchObject({
    text: 'time:1',
    outcome: 'failed',
  });
  expect(nextMove([failed()], { ...facts, timeIsUp: true })).toMatchObject({ text: 'time:0' });
});

it('asks once more without tools when the model falls silent after them, and gives up when it stays silent', () => {
  const silent = [...rounds(1, 'read'), model('  ')];
  expect(nextMove(silent, facts)).toEqual({ kind: 'ask', purpose: 'synthesis' });
  expect(nextMove([...silent, model('', [], 'synthesis')], facts)).toMatchObject({ text: 'budget:1' });
  expect(nextMove([model('')], facts)).toMatchObject({ text: 'empty:0', outcome: 'failed' });
});

describe('a question that must be searched for', () => {
  const must = { ...facts, mustSearch: true };

  it('is asked again once with the search required', () => {
    expect(nextMove([model('I think…')], must)).toEqual({ kind: 'ask', purpose: 'forced-search' });
    expect(nextMove([model('I think…'), model('Still', [], 'forced-search')], must)).toMatchObject({
      text: 'Still',
    });
  });

  it('is answered when a search was done', () => {
    expect(nextMove([...rounds(1, 'search'), model('Found')], must)).toMatchObject({
      kind: 'reply',
      text: 'Found',
    });
  });
});

it('posts a recorded reply again after a crash, with its outcome', () => {
  const reply: TurnStep = { kind: 'reply', request: { v: 1, text: 'Done', outcome: 'failed' }, result: null };
  expect(nextMove([model('Done'), reply], facts)).toEqual({ kind: 'reply', text: 'Done', outcome: 'failed' });
});
