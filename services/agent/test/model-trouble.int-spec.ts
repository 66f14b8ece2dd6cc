import { readToolPolicy, writeToolPolicy } from '@nuqloud/contracts';
import { connectRedis } from '@nuqloud/database';
import { createLogger } from '@nuqloud/platform';
import { babbles, calls, eventually, fails, messageText, says, startScriptedModel } from '@nuqloud/testing';
import type { ModelAnswer, ReceivedRequest, ScriptedModel } from '@nuqloud/testing';
import { phrasesFor } from '../src/domain/phrases';
import { Stage, told } from './stage';

const en = phrasesFor('en');
const TIMEOUT_MS = 400;

let stage: Stage;
let fallback: ScriptedModel;
let rooms = 0;

/** A room of its own for each test: nothing is remembered of another one. */
const ask = (text = 'nuq hello', room = `trouble${rooms++}`) => stage.ask(text, { room });

const expectAnswers = (...answers: ModelAnswer[]) => {
  for (const answer of answers) stage.model.expect({ answer });
};

/** An answer as it stands on the wire. */
const wire = (message: object, finishReason = 'stop') =>
  babbles(JSON.stringify({ choices: [{ index: 0, message, finish_reason: finishReason }] }));
const wireCall = (name: string, args: unknown, more: object = {}) => ({
  id: 'call_1',
  type: 'function',
  function: { name, arguments: args },
  ...more,
});

const toolTexts = ({ body }: ReceivedRequest) =>
  body.messages.flatMap((message) => (message.role === 'tool' ? [messageText(message)] : []));

beforeAll(async () => {
  stage = await Stage.open({ tools: ['files_list', 'files_read', 'files_mkdir'] });
  fallback = await startScriptedModel();
  await stage.startTools([
    { name: 'files_list', policy: readToolPolicy(), run: () => told('plan.md') },
    { name: 'files_read', policy: readToolPolicy(), run: () => told('text of the plan') },
    {
      name: 'files_mkdir',
      policy: writeToolPolicy(),
      run: () => ({ ...told('Made /New.'), receipt: { action: 'files.mkdir', target: '/New' } }),
    },
  ]);
});

afterEach(() => {
  stage.model.verify();
  stage.calls.length = 0;
});

afterAll(async () => {
  await stage.close();
  await fallback.stop();
});

describe('one endpoint', () => {
  let stop: () => Promise<void>;

  beforeAll(async () => {
    const agent = await stage.startAgent({ modelTimeoutMs: TIMEOUT_MS });
    stop = () => agent.close();
    await stage.offers('files_list', 'files_mkdir', 'files_read');
  });

  afterAll(() => stop());

  const html = babbles('<html><body>Bad gateway</body></html>', { contentType: 'text/html' });
  const noise = babbles('\u0000\u0007\ufffd{{{"choices":', { contentType: 'application/octet-stream' });
  const half = says('never seen', { breakOff: { afterChunks: 1, how: 'hang-up' } });
  const hungUp = says('never seen', { breakOff: { afterChunks: 0, how: 'hang-up' } });
  const stalled = says('never seen', { breakOff: { afterChunks: 1, how: 'stall' } });
  const silent = says('never seen', { breakOff: { afterChunks: 0, how: 'stall' } });
  const busy = (retryAfter: string, code?: string) =>
    fails(429, { headers: { 'retry-after': retryAfter }, ...(code !== undefined && { code }) });

  const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();

  it.each<[string, ModelAnswer[], string]>([
    ['that sends HTML with 200 is asked once more', [html, says('back')], 'back'],
    ['that sends HTML twice is down', [html, html], en.modelDown],
    ['that sends noise twice is down', [noise, noise], en.modelDown],
    [
      'that answers without choices twice is down',
      [babbles('{"choices":[]}'), babbles('{"choices":[]}')],
      en.modelDown,
    ],
    ['that answers `null` twice is down', [babbles('null'), babbles('null')], en.modelDown],
    ['that breaks off in the middle is asked once more', [half, says('whole')], 'whole'],
    ['that hangs up twice is down', [hungUp, hungUp], en.modelDown],
    ['that stalls in the middle is down after its time', [stalled], en.modelDown],
    ['that never answers is down after its time', [silent], en.modelDown],
    ['with a wrong key is for the administrator', [fails(401)], en.modelRefused],
    ['without that model is for the administrator', [fails(404)], en.modelRefused],
    ['that has no time is asked again when it wants', [busy('0'), busy('1'), says('now')], 'now'],
    ['that wants an hour is not waited for', [busy('3600')], en.modelBusy],
    ['that names a date in an hour is not waited for', [busy(inAnHour)], en.modelBusy],
    ['without credit is not asked again', [busy('0', 'insufficient_quota')], en.modelBusy],
    [
      'that is being mended is asked again when it wants',
      [fails(503, { headers: { 'retry-after': '1' } }), says('up')],
      'up',
    ],
    ['that filters the question is said to', [fails(400, { code: 'content_filter' })], en.modelFiltered],
    [
      'that filters the answer is said to',
      [wire({ content: 'half of it' }, 'content_filter')],
      en.modelFiltered,
    ],
    ['that says nothing is said to', [wire({ content: null })], en.emptyAnswer],
    ['that says white space is said to', [wire({ content: ' \n' })], en.emptyAnswer],
    ['whose model refuses lets it say so', [wire({ content: null, refusal: 'I must not.' })], 'I must not.'],
    [
      'that cuts its answer off has that said',
      [wire({ content: 'One, two' }, 'length')],
      `One, two\n\n${en.cutOff}`,
    ],
    [
      'that answers in parts is understood',
      [
        wire({
          content: [
            { type: 'thinking', thinking: [] },
            { type: 'text', text: 'Hi' },
          ],
        }),
      ],
      'Hi',
    ],
    ['that shows its thoughts is understood', [wire({ content: '<think>hm</think>\nHi' })], 'Hi'],
    ['that sends an empty list of calls is understood', [wire({ content: 'Hi', tool_calls: [] })], 'Hi'],
  ])('%s', async (_what, answers, expected) => {
    expectAnswers(...answers);
    expect(await ask()).toBe(expected);
  });

  it('tells the administrator in the log what is wrong, without a text or a key', async () => {
    stage.log.length = 0;
    stage.model.expect({ answer: fails(401, { message: 'CANARY key-that-never-shows' }) });
    expect(await ask('nuq CANARY')).toBe(en.modelRefused);
    expect(stage.log.join('')).toContain('MODEL.UNAUTHORIZED');
    expect(stage.log.join('')).not.toMatch(/CANARY|key-that-never-shows/);
  });

  it.each([
    ['by a code', { code: 'context_length_exceeded' }],
    ['in words', { message: "This model's maximum context length is 4096 tokens" }],
  ])('that says %s that a conversation is too long is sent less of it, once', async (_how, error) => {
    const room = `trouble${rooms++}`;
    const earlier = 'the name of my dog is Rex '.repeat(200);
    expectAnswers(says('ok'));
    await ask(`nuq ${earlier}`, room);
    stage.model
      .expect({ when: ({ body }) => JSON.stringify(body).includes('Rex'), answer: fails(400, error) })
      .expect({ when: ({ body }) => !JSON.stringify(body).includes('Rex'), answer: says('shorter') });
    expect(await ask('nuq hello', room)).toBe('shorter');
    expectAnswers(fails(400, error), fails(400, error));
    expect(await ask('nuq hello', room)).toBe(en.modelTooLong);
  });

  it('stays short for the rest of the turn once it was too long', async () => {
    const room = `trouble${rooms++}`;
    expectAnswers(says('ok'));
    await ask(`nuq ${'my dog is Rex '.repeat(300)}`, room);
    const isShort = ({ body }: ReceivedRequest) => !JSON.stringify(body).includes('Rex');
    stage.model
      .expect({ answer: fails(400, { code: 'context_length_exceeded' }) })
      .expect({ when: isShort, answer: calls({ name: 'files_list', arguments: {} }) })
      .expect({ when: isShort, answer: says('plan.md') });
    expect(await ask('nuq list', room)).toBe('plan.md');
  });

  it('that refuses a parameter is sent it under its other name, or not at all, from then on', async () => {
    const refusal = (param: string) =>
      fails(400, {
        body: JSON.stringify({
          error: { message: 'no', type: 'invalid_request_error', param, code: 'unsupported_parameter' },
        }),
      });
    const isNew = ({ body }: ReceivedRequest) => 'max_completion_tokens' in body && !('max_tokens' in body);
    stage.model
      .expect({ when: ({ body }) => 'max_tokens' in body, answer: refusal('max_tokens') })
      .expect({ when: isNew, answer: says('one') })
      .expect({ when: isNew, answer: says('two') });
    expect(await ask()).toBe('one');
    expect(await ask()).toBe('two');
  });
});

describe('calls of tools', () => {
  let stop: () => Promise<void>;

  beforeAll(async () => {
    const agent = await stage.startAgent({ modelTimeoutMs: 5_000 });
    stop = () => agent.close();
    await stage.offers('files_list', 'files_mkdir', 'files_read');
  });

  afterAll(() => stop());

  it('written as text are asked for once more, and then made', async () => {
    stage.model
      .expect({ answer: says('{"name": "files_list", "arguments": {}}') })
      .expect({
        when: ({ body }) => expect(body.messages.at(-1)).toMatchObject({ role: 'system' }),
        answer: calls({ name: 'files_list', arguments: {} }),
      })
      .expect({ answer: says('There is plan.md') });
    expect(await ask('nuq list')).toBe('There is plan.md');
    expect(stage.calls).toHaveLength(1);
  });

  it('written as text again are said to be none, and nothing is run', async () => {
    const written = says('files_mkdir(path="/New")');
    expectAnswers(written, written);
    expect(await ask('nuq make /New')).toBe(en.writtenCall);
    expect(stage.calls).toEqual([]);
  });

  it('with arguments that nobody can read get two more tries, and are never mended', async () => {
    const broken = (text: string) => calls({ name: 'files_mkdir', arguments: text });
    stage.model
      .expect({ answer: broken('{"path": "/New"') })
      .expect({ answer: broken("{'path': '/New'}") })
      .expect({ answer: broken('"{\\"path\\": \\"/New\\"}"') })
      .expect({
        when: (request) => {
          expect(request.body.tools).toBeUndefined();
          expect(toolTexts(request)).toEqual(Array(3).fill(expect.stringContaining('The call was not run')));
        },
        answer: says('It could not be made'),
      });
    expect(await ask('nuq make /New')).toBe('It could not be made');
    expect(stage.calls).toEqual([]);
  });

  it('of all sorts at once are answered each, and only the good ones run', async () => {
    stage.model
      .expect({
        answer: wire(
          {
            content: '',
            tool_calls: [
              wireCall('files_list', {}),
              wireCall('files_lst', '{}'),
              wireCall('files_read', '{"path'),
              wireCall('files_mkdir', { path: '/New' }),
              { function: { name: 'files_read' } },
            ],
          },
          'tool_calls',
        ),
      })
      .expect({
        when: (request) =>
          expect(toolTexts(request)).toEqual([
            'plan.md',
            expect.stringContaining('no tool of that name'),
            expect.stringContaining('not valid JSON'),
            'Made /New.',
            'text of the plan',
          ]),
        answer: says('done'),
      });
    expect(await ask('nuq do it all')).toBe('done\n\n☑ Done: `files_mkdir: /New`');
    expect(stage.calls.map(({ tool }) => tool)).toEqual(['files_list', 'files_mkdir', 'files_read']);
  });

  it('in turn for ever are stopped and asked for an answer', async () => {
    const circle = ['files_list', 'files_read'].map((name) => calls({ name, arguments: {} }));
    const rounds = readToolPolicy().loopThreshold;
    for (let i = 0; i < rounds; i += 1) expectAnswers(...circle);
    stage.model.expect({ when: ({ body }) => body.tools === undefined, answer: says('Enough') });
    expect(await ask('nuq look')).toBe('Enough');
    expect(stage.calls).toHaveLength(2 * rounds);
  });

  it('are shown again with what their endpoint sent beside them, and no one else sees it', async () => {
    const room = `trouble${rooms++}`;
    const signed = { extra_content: { google: { thought_signature: 'sig' } } };
    stage.model
      .expect({
        answer: wire({
          content: null,
          reasoning_content: 'I think',
          tool_calls: [wireCall('files_list', '', signed)],
        }),
      })
      .expect({
        when: ({ body }) =>
          expect(body.messages.at(-2)).toMatchObject({
            reasoning_content: 'I think',
            tool_calls: [{ ...signed, function: { name: 'files_list', arguments: '{}' } }],
          }),
        answer: says('plan.md'),
      })
      .expect({ when: ({ body }) => !/I think|sig/.test(JSON.stringify(body)), answer: says('hi') });
    expect(await ask('nuq list', room)).toBe('plan.md');
    expect(await ask('nuq hello', room)).toBe('hi');
  });

  it('that were never made leave no receipt, whatever the model claims', async () => {
    expectAnswers(says('I deleted everything.\n\n☑ Done: `files_delete: /`'));
    expect(await ask('nuq delete everything')).toBe('I deleted everything.\n\n✓ Done: `files_delete: /`');
  });

  it('leave a receipt in the room that no model reads', async () => {
    const room = `trouble${rooms++}`;
    stage.model
      .expect({ answer: calls({ name: 'files_mkdir', arguments: { path: '/New' } }) })
      .expect({ answer: says('I made it.') })
      .expect({ when: ({ body }) => !JSON.stringify(body).includes('☑'), answer: says('hi') });
    expect(await ask('nuq make /New', room)).toBe('I made it.\n\n☑ Done: `files_mkdir: /New`');
    expect(await ask('nuq hello', room)).toBe('hi');
  });
});

describe('a second endpoint', () => {
  let stop: () => Promise<void>;

  beforeAll(async () => {
    const agent = await stage.startAgent({ modelTimeoutMs: TIMEOUT_MS, fallback });
    stop = () => agent.close();
    await stage.offers('files_list', 'files_mkdir', 'files_read');
  });

  afterEach(async () => {
    fallback.verify();
    await firstIsBack();
  });

  afterAll(() => stop());

  /** What time does to the breaker. */
  const firstIsBack = async () => {
    const redis = connectRedis(stage.bed.redisUrl, createLogger({ service: 'test', level: 'silent' }));
    await eventually(() => redis.isReady, { describe: 'Redis' });
    await redis.del('nuqloud:breaker:model:first');
    redis.destroy();
  };

  it.each<[string, ModelAnswer[]]>([
    ['fails twice', [fails(500), fails(502)]],
    ['does not answer', [says('late', { breakOff: { afterChunks: 0, how: 'stall' } })]],
    ['has no time for longer than there is patience', [fails(429, { headers: { 'retry-after': '60' } })]],
    ['sends garbage twice', [babbles('<html>'), babbles('<html>')]],
  ])('answers with its own model and key while the first %s', async (_what, answers) => {
    expectAnswers(...answers);
    fallback.expect({
      when: ({ body, headers }) => {
        expect(body.model).toBe('second-model');
        expect(headers.authorization).toBe('Bearer key-of-the-fallback');
      },
      answer: says('from the second'),
    });
    expect(await ask()).toBe('from the second');
  });

  it('answers alone until the first has had a while, and says so in the log without a text', async () => {
    stage.log.length = 0;
    expectAnswers(fails(503, { message: 'CANARY' }), fails(503, { message: 'CANARY' }));
    fallback.expect({ answer: says('second') }).expect({ answer: says('second again') });
    expect(await ask('nuq CANARY')).toBe('second');
    expect(await ask()).toBe('second again');
    expect(stage.log.filter((line) => line.includes('model.other-endpoint'))).toHaveLength(1);
    expect(stage.log.join('')).not.toMatch(/CANARY|key-of-the-fallback/);
    await firstIsBack();
    expectAnswers(says('first'));
    expect(await ask()).toBe('first');
  });

  it('is not asked what the first refuses', async () => {
    expectAnswers(fails(401));
    expect(await ask()).toBe(en.modelRefused);
  });

  it('takes over in the middle of a turn without running a write again, and without the thoughts of the first', async () => {
    const make = { name: 'files_mkdir', arguments: { path: '/New' } };
    expectAnswers(
      wire({
        content: null,
        reasoning_content: 'I think',
        tool_calls: [wireCall('files_mkdir', '{"path":"/New"}')],
      }),
      fails(500),
      fails(500),
    );
    fallback
      .expect({ when: ({ body }) => !JSON.stringify(body).includes('I think'), answer: calls(make) })
      .expect({
        when: (request) => expect(toolTexts(request).at(-1)).toContain('Not run a second time'),
        answer: says('It is made'),
      });
    expect(await ask('nuq make /New')).toBe('It is made\n\n☑ Done: `files_mkdir: /New`');
    expect(stage.calls).toHaveLength(1);
  });

  it('that is away, too, leaves the words that no model is there', async () => {
    expectAnswers(fails(500), fails(500));
    fallback.expect({ answer: fails(500) }).expect({ answer: fails(500) });
    expect(await ask()).toBe(en.modelDown);
  });

  it('that is away while the first rests has the first asked after all', async () => {
    expectAnswers(fails(500), fails(500));
    fallback.expect({ answer: says('second') });
    expect(await ask()).toBe('second');
    fallback.expect({ answer: fails(500) }).expect({ answer: fails(500) });
    expectAnswers(says('first'));
    expect(await ask()).toBe('first');
  });
});
