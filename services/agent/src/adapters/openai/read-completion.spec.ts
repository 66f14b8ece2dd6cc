import fc from 'fast-check';
import { ModelFailure } from '../../ports/model';
import { readCompletion } from './read-completion';

const read = (message: object, finishReason = 'stop') =>
  readCompletion(JSON.stringify({ choices: [{ finish_reason: finishReason, message }] }), 'first');

it.each([
  ['text', 'Hello', 'Hello'],
  [
    'parts, of which only text counts',
    [{ type: 'thinking', text: 'hm' }, { type: 'text', text: 'Hel' }, { text: 'lo' }],
    'Hello',
  ],
  ['thoughts before the answer', '<think>\nhm\n</think>\n\nHello', 'Hello'],
  ['nothing but thoughts that were cut off', '<think>\nhm, hm', ''],
  ['nothing', null, ''],
])('reads content that is %s', (_what, content, text) => {
  expect(read({ content })).toMatchObject({ text, toolCalls: [] });
});

it('takes a refusal for what the model says', () => {
  expect(read({ content: null, refusal: 'I cannot help with that.' }).text).toBe('I cannot help with that.');
});

it('gives every call an id of its own and its arguments as text', () => {
  const { toolCalls } = read({
    tool_calls: [
      { id: 'a', function: { name: 'one', arguments: { path: '/' } } },
      { id: 'a', function: { name: 'two', arguments: '{"broken' } },
      { function: { name: 'three' } },
      { id: null, function: { name: null, arguments: null } },
    ],
  });
  expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(4);
  expect(toolCalls.map(({ name, argumentsText }) => [name, argumentsText])).toEqual([
    ['one', '{"path":"/"}'],
    ['two', '{"broken'],
    ['three', ''],
    ['', ''],
  ]);
});

it('keeps what an endpoint wants to see again with its calls, and nothing else', () => {
  const signed = { google: { thought_signature: 'sig' } };
  const { replay } = read({
    reasoning_content: 'hm',
    reasoning: 'not by this name',
    annotations: [],
    tool_calls: [
      { id: 'a', index: 0, extra_content: signed, function: { name: 'one', arguments: '{}' } },
      { id: 'b', function: { name: 'two', arguments: '{}' } },
    ],
  });
  expect(replay).toEqual({
    endpoint: 'first',
    message: { reasoning_content: 'hm' },
    calls: { a: { extra_content: signed } },
  });
  expect(read({ content: 'no calls', reasoning_content: 'hm' }).replay).toBeUndefined();
});

it('never fails otherwise than by saying that this is no completion, or a withheld one', () => {
  const anything = fc.oneof(
    fc.string(),
    fc.json(),
    fc.jsonValue().map((message) => JSON.stringify({ choices: [{ message }] })),
    fc.jsonValue().map((call) => JSON.stringify({ choices: [{ message: { tool_calls: [call] } }] })),
  );
  fc.assert(
    fc.property(anything, (body) => {
      try {
        readCompletion(body, 'first');
      } catch (error) {
        expect(error).toBeInstanceOf(ModelFailure);
      }
    }),
  );
});

it('gives nothing of an answer that a content filter withheld', () => {
  expect(() => read({ content: 'half' }, 'content_filter')).toThrow(/content filter/);
});
