import OpenAI, { RateLimitError } from 'openai';

import { eventually } from '../eventually';
import { lastUserText } from './chat-request';
import { babbles, calls, fails, says } from './model-answer';
import type { ScriptedModel } from './scripted-model';
import { startScriptedModel } from './scripted-model';

const LIST = {
  type: 'function' as const,
  function: {
    name: 'files_list',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
};

const user = (content: string) => ({ role: 'user' as const, content });

describe('startScriptedModel', () => {
  let model: ScriptedModel;
  let client: OpenAI;
  beforeEach(async () => {
    model = await startScriptedModel();
    client = new OpenAI({ baseURL: model.baseUrl, apiKey: 'any', maxRetries: 0 });
  });
  afterEach(() => model.stop());

  const ask = (content: string, more: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming> = {}) =>
    client.chat.completions.create({ model: 'any', messages: [user(content)], ...more });

  const theFirstRequest = () =>
    eventually(() => model.requests.length > 0, { describe: 'arrival of the first request' });

  const collect = async (more: Partial<OpenAI.ChatCompletionCreateParamsStreaming> = {}) => {
    const stream = client.chat.completions.stream({ model: 'any', messages: [user('hi')], ...more });
    let chunks = 0;
    for await (const chunk of stream) chunks += chunk.choices.length;
    return { completion: await stream.finalChatCompletion(), chunks };
  };

  describe('answers', () => {
    it('in one piece', async () => {
      model.expect({ answer: says('Hello there.', { usage: { promptTokens: 7, completionTokens: 3 } }) });
      const completion = await ask('hi');
      expect(completion.choices[0]).toMatchObject({
        finish_reason: 'stop',
        message: { role: 'assistant', content: 'Hello there.' },
      });
      expect(completion.choices[0]?.message.tool_calls).toBeUndefined();
      expect(completion.usage).toEqual({ prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 });
      expect(completion.model).toBe('scripted-test');
      model.verify();
    });

    it('as a stream that adds up to the same words, white space included', async () => {
      const text = '  Two words,\n\nand a line – ünïcödé 👍.\n';
      model.expect({ answer: says(text) });
      const { completion, chunks } = await collect();
      expect(completion.choices[0]?.message.content).toBe(text);
      expect(chunks).toBeGreaterThan(5);
    });

    it('with usage in a stream only when asked for', async () => {
      model.expect({ answer: says('a') }).expect({ answer: says('b') });
      expect((await collect()).completion.usage).toBeUndefined();
      const { completion } = await collect({ stream_options: { include_usage: true } });
      expect(completion.usage?.total_tokens).toBeGreaterThan(0);
    });

    const twoCalls = calls(
      [
        { name: 'files_list', arguments: { path: '/Döcs with spaces' } },
        { name: 'files_list', arguments: '{"path": broken', id: 'mine' },
      ],
      { text: 'I look.' },
    );

    it('with several calls of tools in one piece, malformed arguments as they are', async () => {
      model.expect({ answer: twoCalls });
      const [choice] = (await ask('hi', { tools: [LIST] })).choices;
      expect(choice?.finish_reason).toBe('tool_calls');
      expect(choice?.message.content).toBe('I look.');
      expect(choice?.message.tool_calls).toEqual([
        {
          id: 'call_1_1',
          type: 'function',
          function: { name: 'files_list', arguments: '{"path":"/Döcs with spaces"}' },
        },
        { id: 'mine', type: 'function', function: { name: 'files_list', arguments: '{"path": broken' } },
      ]);
    });

    it('with several calls of tools as a stream', async () => {
      model.expect({ answer: twoCalls });
      const [choice] = (await collect({ tools: [LIST] })).completion.choices;
      expect(choice?.finish_reason).toBe('tool_calls');
      expect(choice?.message.tool_calls).toMatchObject([
        { id: 'call_1_1', function: { name: 'files_list', arguments: '{"path":"/Döcs with spaces"}' } },
        { id: 'mine', function: { arguments: '{"path": broken' } },
      ]);
    });

    it('with a list of models that says what it is', async () => {
      const models = [];
      for await (const entry of client.models.list()) models.push(entry);
      expect(models).toMatchObject([
        { id: 'scripted-test', owned_by: expect.stringContaining('not a language model') },
      ]);
    });

    it('404 to any other address', async () => {
      await expect(client.embeddings.create({ model: 'any', input: 'x' })).rejects.toMatchObject({
        status: 404,
      });
    });
  });

  describe('failures', () => {
    it('have status, code and headers as scripted', async () => {
      model.expect({ answer: fails(429, { code: 'rate_limit_exceeded', headers: { 'retry-after': '7' } }) });
      const error: unknown = await ask('hi').catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(RateLimitError);
      expect(error).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
      expect((error as RateLimitError).headers?.get('retry-after')).toBe('7');
    });

    it('can be followed by success, for a client that asks again', async () => {
      model
        .expect({ answer: fails(503, { headers: { 'retry-after-ms': '1' } }) })
        .expect({ answer: says('back') });
      const patient = client.withOptions({ maxRetries: 1 });
      const { choices } = await patient.chat.completions.create({ model: 'any', messages: [user('hi')] });
      expect(choices[0]?.message.content).toBe('back');
      model.verify();
    });

    it('can be a body that is no completion', async () => {
      model.expect({ answer: babbles('<html>busy</html>') });
      await expect(ask('hi')).rejects.toThrow(/JSON/);
    });

    it('can be an error in the middle of a stream', async () => {
      const body = 'data: {"error":{"message":"overloaded"}}\n\n';
      model.expect({ answer: babbles(body, { contentType: 'text/event-stream' }) });
      await expect(collect()).rejects.toThrow(/overloaded/);
    });

    it.each([
      ['before the first byte', 0],
      ['in the middle', 2],
    ])('can be a connection that breaks %s', async (_when, afterChunks) => {
      const answer = says('never said to the end', { breakOff: { afterChunks, how: 'hang-up' } });
      model.expect({ answer }).expect({ answer });
      await expect(collect()).rejects.toThrow();
      await expect(ask('hi')).rejects.toThrow();
      model.verify();
    });

    it('can be silence, until the client leaves', async () => {
      model.expect({ answer: says('never said', { breakOff: { afterChunks: 0, how: 'stall' } }) });
      const patience = new AbortController();
      const asking = client.chat.completions.create(
        { model: 'any', messages: [user('hi')] },
        { signal: patience.signal },
      );
      const outcome = expect(asking).rejects.toThrow(OpenAI.APIUserAbortError);
      await theFirstRequest();
      patience.abort();
      await outcome;
      model.verify();
    });

    it('can be a stream that says the half and then nothing, until the client leaves', async () => {
      model.expect({ answer: says('one two three', { breakOff: { afterChunks: 2, how: 'stall' } }) });
      const stream = client.chat.completions.stream({ model: 'any', messages: [user('hi')] });
      await stream.emitted('content');
      stream.abort();
      await expect(stream.finalChatCompletion()).rejects.toThrow(OpenAI.APIUserAbortError);
    });

    it('does not wait for silent clients when it is stopped', async () => {
      model.expect({ answer: says('late', { after: new Promise(() => undefined) }) });
      const asking = ask('hi');
      const outcome = expect(asking).rejects.toThrow(OpenAI.APIConnectionError);
      await theFirstRequest();
      await model.stop();
      await outcome;
      model = await startScriptedModel(); // for afterEach
    });
  });

  describe('as a strict script', () => {
    it('holds an answer back until the test lets it go', async () => {
      let letGo = () => undefined as void;
      const after = new Promise<void>((resolve) => (letGo = resolve));
      model.expect({ answer: says('slow', { after }) }).expect({ answer: says('quick') });
      const order: string[] = [];
      const slow = ask('1').then(({ choices }) => order.push(choices[0]?.message.content ?? ''));
      await theFirstRequest();
      await ask('2').then(({ choices }) => order.push(choices[0]?.message.content ?? ''));
      letGo();
      await slow;
      expect(order).toEqual(['quick', 'slow']);
    });

    it('keeps what it was asked', async () => {
      model.expect({ answer: (request) => says(`You said: ${lastUserText(request.body)}`) });
      const { choices } = await ask('hi');
      expect(choices[0]?.message.content).toBe('You said: hi');
      expect(model.requests).toHaveLength(1);
      expect(model.requests[0]?.headers.authorization).toBe('Bearer any');
    });

    it('answers an unexpected request with 500, once, and remembers it', async () => {
      const patient = client.withOptions({ maxRetries: 2 });
      const asking = patient.chat.completions.create({ model: 'any', messages: [user('hi')] });
      await expect(asking).rejects.toThrow(/500 the script expects no more requests/);
      expect(model.requests).toHaveLength(1);
      expect(() => model.verify()).toThrow(
        /request 1: the script expects no more requests \(0 were answered\)/,
      );
    });

    it('names the steps that nobody asked for', async () => {
      model.expect({ answer: says('1') }).expect({ answer: says('2') });
      await ask('hi');
      expect(() => model.verify()).toThrow(/1 of 2 steps of the script were not asked for/);
    });

    it.each([
      ['throws', () => expect('list').toBe('read')],
      ['returns false', () => false],
    ])('refuses a request whose check %s, and keeps the step', async (_how, when) => {
      model.expect({
        when: ({ body }) => (lastUserText(body) === 'right' ? undefined : when()),
        answer: says('ok'),
      });
      await expect(ask('wrong')).rejects.toThrow(/500 not what step 1 of the script expects/);
      expect((await ask('right')).choices[0]?.message.content).toBe('ok');
      expect(() => model.verify()).toThrow(/request 1: not what step 1 of the script expects/);
    });

    it('plays several rooms at the same time, each in its own order', async () => {
      const room = (name: string) =>
        model.script(`room ${name}`, ({ body }) => lastUserText(body).startsWith(`${name}:`));
      room('a')
        .expect({ answer: says('a1') })
        .expect({ answer: says('a2') });
      room('b').expect({ answer: says('b1') });
      const said = async (content: string) => (await ask(content)).choices[0]?.message.content;
      expect(await said('b: x')).toBe('b1');
      expect(await said('a: x')).toBe('a1');
      expect(() => model.verify()).toThrow(/1 of 2 steps of room a were not asked for/);
      expect(await said('a: y')).toBe('a2');
      model.verify();
    });
  });

  describe('refuses with 400, as OpenAI does,', () => {
    const call = (id: string) => ({
      id,
      type: 'function' as const,
      function: { name: 'files_list', arguments: '{}' },
    });
    const assistant = (...ids: string[]) => ({ role: 'assistant' as const, tool_calls: ids.map(call) });
    const result = (id: string) => ({ role: 'tool' as const, tool_call_id: id, content: 'x' });
    const tool = (parameters: Record<string, unknown>) => ({
      type: 'function' as const,
      function: { name: 'files_list', parameters },
    });

    it.each<[string, object, RegExp]>([
      ['no messages', { messages: [] }, /messages/],
      [
        'a result that answers no call',
        { messages: [user('hi'), result('a')] },
        /must answer one of the 'tool_calls'/,
      ],
      ['a second result for one call', { messages: [assistant('a'), result('a'), result('a')] }, /once/],
      ['a call without a result', { messages: [assistant('a', 'b'), result('a')] }, /missing: b/],
      ['words before all results are there', { messages: [assistant('a'), user('hi')] }, /missing: a/],
      ['two calls with one id', { messages: [assistant('a', 'a'), result('a')] }, /share an id/],
      [
        'an empty answer of the assistant',
        { messages: [{ role: 'assistant' }, user('hi')] },
        /'content' or 'tool_calls'/,
      ],
      ['a speaker’s name with a space', { messages: [{ ...user('hi'), name: 'Alice Adams' }] }, /name/],
      ['an empty list of tools', { tools: [] }, /tools/],
      ['one name for two tools', { tools: [LIST, LIST] }, /'files_list' is used twice/],
      ['parameters that are no object', { tools: [tool({ type: 'string' })] }, /parameters/],
      ['a list where properties belong', { tools: [tool({ type: 'object', properties: [] })] }, /properties/],
      ['a choice at the top of the parameters', { tools: [tool({ type: 'object', anyOf: [] })] }, /'anyOf'/],
      ['a choice of tool without tools', { tool_choice: 'auto' }, /'tool_choice'/],
      ['parallel calls without tools', { parallel_tool_calls: true }, /'parallel_tool_calls'/],
      [
        'a demand for a tool that is not offered',
        { tools: [LIST], tool_choice: { type: 'function', function: { name: 'other' } } },
        /'other' is not among/,
      ],
      ['stream options without a stream', { stream_options: { include_usage: true } }, /'stream_options'/],
    ])('%s', async (_what, broken, reason) => {
      const asking = ask('hi', broken);
      await expect(asking).rejects.toMatchObject({ status: 400, message: expect.stringMatching(reason) });
      expect(() => model.verify()).toThrow(/a request that an OpenAI endpoint refuses/);
    });

    it('a body that is not JSON', async () => {
      const response = await fetch(`${model.baseUrl}/chat/completions`, {
        method: 'POST',
        body: '{"model":',
      });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { message: 'The body is not JSON.' } });
    });
  });
});
