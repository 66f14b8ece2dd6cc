import type { AnsweredCall, AskPurpose, RequestedCall, TurnStep } from '@nuqloud/contracts';
import { MAX_MODEL_CALLS, nextMove } from './turn';
import type { TurnFacts } from './turn';

const facts: TurnFacts = {
  first: { kind: 'ask', purpose: 'answer' },
  timeIsUp: false,
  thresholdOf: (name) => ({ search: 10, read: 8, write: 4 })[name],
  isSearch: (name) => name === 'search',
  mustSearch: false,
  isWrittenCall: (text) => text.startsWith('read('),
  cutOff: (text) => `${text} (cut off)`,
  lastWords: (shortfall, found) => `${shortfall}:${found.length}`,
  reportWords: (reports) => reports.map(({ n, state }) => `${n} ${state}`).join(', '),
  undoWords: (target) => `undone ${target}`,
};

const call = (name: string, argumentsText = '{}'): RequestedCall => ({ id: '1', name, argumentsText });
const model = (text: string, toolCalls: RequestedCall[] = [], purpose: AskPurpose = 'answer'): TurnStep => ({
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

describe('a turn in which the person has to be asked', () => {
  const proposal = { plan: 'signed' };
  const planned = (...proposals: boolean[]): TurnStep => ({
    kind: 'tools',
    request: { v: 1, calls: proposals.map(() => call('write')) },
    result: { v: 1, answers: proposals.map((asks) => (asks ? { ...answer, proposal } : answer)) },
  });
  const proposed = (confirmation?: string): TurnStep => ({
    kind: 'propose',
    request: { v: 1 },
    result: { v: 1, text: 'Delete it?', ...(confirmation && { confirmation }) },
  });

  it('asks as soon as one call of a batch wants it, without another question to the model', () => {
    expect(nextMove([model('', [call('write')]), planned(false, true)], facts)).toEqual({ kind: 'propose' });
    expect(nextMove([planned(true)], { ...facts, timeIsUp: true })).toEqual({ kind: 'propose' });
  });

  it('ends with the prompt, which stands in the room already', () => {
    expect(nextMove([planned(true), proposed('id')], facts)).toEqual({
      kind: 'reply',
      text: 'Delete it?',
      outcome: 'answered',
      posted: true,
    });
  });

  it('says why the person could not be asked', () => {
    expect(nextMove([planned(true), proposed()], facts)).toEqual({
      kind: 'reply',
      text: 'Delete it?',
      outcome: 'failed',
    });
  });
});

describe('a turn that carries out what was approved', () => {
  const acted = (...states: ('done' | 'failed' | 'unknown' | 'lapsed')[]): TurnStep => ({
    kind: 'act',
    request: { v: 1, confirmation: 'id' },
    result: { v: 1, reports: states.map((state, index) => ({ n: index + 1, title: 'x', state, text: '' })) },
  });

  it('begins with it and asks no model', () => {
    const first = { kind: 'act', confirmation: 'id' } as const;
    expect(nextMove([], { ...facts, first })).toEqual(first);
    expect(nextMove([acted('done')], facts)).toEqual({ kind: 'reply', text: '1 done', outcome: 'answered' });
  });

  it('has failed unless everything was done', () => {
    expect(nextMove([acted('done', 'unknown')], facts)).toMatchObject({
      text: '1 done, 2 unknown',
      outcome: 'failed',
    });
    expect(nextMove([acted()], facts)).toMatchObject({ outcome: 'failed' });
  });
});

it('undoing ends with what became of it, or with the question it raises', () => {
  const undone = (given: Partial<AnsweredCall>): TurnStep => ({
    kind: 'undo',
    request: { v: 1, receipt: '7', target: '/x', provider: 'files', call: call('write') },
    result: { v: 1, answer: { ...answer, ...given } },
  });
  expect(nextMove([undone({})], facts)).toEqual({ kind: 'reply', text: 'undone /x', outcome: 'answered' });
  expect(nextMove([undone({ isError: true })], facts)).toMatchObject({ outcome: 'failed' });
  expect(nextMove([undone({ proposal: { plan: 'signed' } })], facts)).toEqual({ kind: 'propose' });
});

describe('a call written as text', () => {
  it('is asked for as a call once, and then said to be none', () => {
    const written = model('read("/a")');
    expect(nextMove([written], facts)).toEqual({ kind: 'ask', purpose: 'real-call' });
    expect(nextMove([written, model('read("/a")', [], 'real-call')], facts)).toMatchObject({
      kind: 'reply',
      outcome: 'failed',
      text: 'written-call:0',
    });
    const corrected = model('', [call('read')], 'real-call');
    expect(nextMove([written, corrected], facts)).toMatchObject({ kind: 'run' });
  });

  it('is asked for once in a turn, whatever was done between', () => {
    const steps = [
      model('read()'),
      model('', [call('read')], 'real-call'),
      ran(call('read')),
      model('read()'),
    ];
    expect(nextMove(steps, facts)).toMatchObject({ kind: 'reply', text: 'written-call:1' });
  });
});

it('asks for an end after three batches that nobody can read', () => {
  const garbled = [model('', [call('read', '{"path')]), ran(call('read', '{"path'))];
  expect(nextMove([...garbled, ...garbled], facts)).toEqual({ kind: 'ask', purpose: 'answer' });
  expect(nextMove([...garbled, ...garbled, ...garbled], facts)).toEqual({
    kind: 'ask',
    purpose: 'synthesis',
  });
});

it.each([
  ['MODEL.BUSY', 'model-busy'],
  ['MODEL.REFUSED', 'model-refused'],
  ['MODEL.TOO_LONG', 'too-long'],
  ['MODEL.FILTERED', 'filtered'],
  ['MODEL.GARBAGE', 'model-down'],
])('ends a turn after %s with the words for "%s"', (failure, shortfall) => {
  const step: TurnStep = { ...failed(), result: { v: 1, text: '', toolCalls: [], failure } } as TurnStep;
  expect(nextMove([step], facts)).toMatchObject({ kind: 'reply', text: `${shortfall}:0` });
});
