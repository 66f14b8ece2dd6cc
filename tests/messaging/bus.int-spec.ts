import { Controller, Module } from '@nestjs/common';
import type { DynamicModule, INestMicroservice, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { CollectToolProviders, ExecuteTool, PostToRoom, ToolsChanged } from '@nuqloud/contracts';
import type { CollectToolProvidersReply, ExecuteToolReply, ExecuteToolRequest } from '@nuqloud/contracts';
import { BusServer, OnEvent, OnRequest } from '@nuqloud/messaging';
import type { Bus, MessageContext } from '@nuqloud/messaging';
import { AppError, createLogger, nestLogger } from '@nuqloud/platform';
import { eventually, startTestBed } from '@nuqloud/testing';
import type { TestBed } from '@nuqloud/testing';
import type { Msg } from 'nats';

const request: ExecuteToolRequest = {
  v: 1,
  callId: 'call-1',
  tool: 'files_list',
  arguments: {},
  context: {
    instance: 'default',
    bot: 'nuq',
    room: 'x7k2m9pq',
    messageId: '1',
    attachments: [],
    language: 'en',
    zone: null,
  },
  attestation: 'not looked at here',
  text: 'hello',
};

const told = (text: string): ExecuteToolReply => ({
  v: 1,
  result: { content: [{ type: 'text', text }], isError: false },
});

let bed: TestBed;
const apps: INestMicroservice[] = [];
const buses: Bus[] = [];

beforeAll(async () => {
  bed = await startTestBed();
});

afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
  await Promise.all(buses.splice(0).map((bus) => bus.close()));
});

const busOf = async (service: string): Promise<Bus> => {
  const bus = await bed.busOf(service);
  buses.push(bus);
  return bus;
};

afterAll(() => bed.close());

@Module({})
class EmptyModule {}

const moduleWith = (controller: Type): DynamicModule => ({ module: EmptyModule, controllers: [controller] });

/** Serves a controller with the credentials of that service. */
const serve = async (
  service: string,
  controller: Type,
  more: { params?: Record<string, string>; maxInFlight?: number } = {},
): Promise<{ bus: Bus; app: INestMicroservice }> => {
  const bus = await busOf(service);
  const logger = createLogger({ service, level: 'silent' });
  const strategy = new BusServer({ bus, logger, version: '0.1.0', description: 'test', ...more });
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(moduleWith(controller), {
    strategy,
    logger: nestLogger(logger),
  });
  await app.listen();
  apps.push(app);
  return { bus, app };
};

const filesParams = { params: { provider: 'files' } };

/** A tool service that answers raw bytes to everything. */
const answerRaw = async (subject: string, answer: (message: Msg) => void): Promise<() => Promise<void>> => {
  const bus = await busOf('tool-files');
  const subscription = bus.connection.subscribe(subject, {
    callback: (_failure, message) => answer(message),
  });
  await bus.connection.flush();
  return async () => {
    subscription.unsubscribe();
    await bus.connection.flush();
  };
};

const failureOf = async (
  work: Promise<unknown>,
): Promise<{ code: string; message: string; retryable: boolean }> => {
  try {
    await work;
  } catch (error) {
    if (error instanceof AppError)
      return { code: error.code, message: error.message, retryable: error.retryable };
    throw error;
  }
  throw new Error('It did not fail.');
};

describe('a request', () => {
  it('reaches a decorated method parsed, with its context, and brings back its typed answer', async () => {
    const seen: { message?: ExecuteToolRequest; context?: MessageContext } = {};
    @Controller()
    class Tool {
      @OnRequest(ExecuteTool)
      execute(message: ExecuteToolRequest, context: MessageContext): ExecuteToolReply {
        Object.assign(seen, { message, context });
        return told('done');
      }
    }
    await serve('tool-files', Tool, filesParams);
    const agent = await busOf('agent');
    const context = {
      correlationId: 'corr-1',
      traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
      deadline: Date.now() + 5_000,
    };
    const reply = await agent.request(ExecuteTool, { provider: 'files' }, request, { context });
    expect(reply).toEqual(told('done'));
    expect(seen.message).toEqual(request);
    expect(seen.context?.correlationId).toBe('corr-1');
    expect(seen.context?.traceparent).toMatch(new RegExp(`^00-${'a'.repeat(32)}-[0-9a-f]{16}-01$`));
    expect(seen.context?.deadline).toBe(context.deadline);
  });

  it.each<[string, string | Uint8Array, string]>([
    ['that is not JSON', 'hello', 'is not JSON'],
    ['that is not UTF-8', Uint8Array.from([0x22, 0xff, 0xfe, 0x22]), 'is not JSON in UTF-8'],
    ['of the wrong shape', JSON.stringify({ ...request, tool: 7 }), 'tool (invalid_type)'],
    ['of an unknown version', JSON.stringify({ ...request, v: 2 }), 'v (invalid_value)'],
    ['that is empty', '', 'is not JSON'],
    ['that is nested a hundred thousand deep', '['.repeat(100_000), 'is not JSON'],
  ])('%s is refused by type, and the service goes on', async (_name, bytes, reason) => {
    @Controller()
    class Tool {
      @OnRequest(ExecuteTool)
      execute(): ExecuteToolReply {
        return told('still here');
      }
    }
    await serve('tool-files', Tool, filesParams);
    const agent = await busOf('agent');
    const raw = await agent.connection.request('tools.exec.files', bytes, { timeout: 2_000 });
    expect(raw.json()).toMatchObject({
      code: 'BUS.INVALID_REQUEST',
      message: expect.stringContaining(reason),
      retryable: false,
    });
    expect(raw.headers?.get('Nats-Service-Error-Code')).toBe('500');
    await expect(agent.request(ExecuteTool, { provider: 'files' }, request)).resolves.toEqual(
      told('still here'),
    );
  });

  it.each<[string, (message: Msg) => void, string]>([
    ['not JSON', (message) => message.respond('<html>'), 'BUS.INVALID_REPLY'],
    ['of the wrong shape', (message) => message.respond('{"v":1,"result":"x"}'), 'BUS.INVALID_REPLY'],
    ['empty', (message) => message.respond(), 'BUS.INVALID_REPLY'],
    ['missing', () => undefined, 'BUS.TIMEOUT'],
  ])('whose reply is %s fails by type, and the caller goes on', async (_name, answer, code) => {
    const stop = await answerRaw('tools.exec.files', answer);
    const agent = await busOf('agent');
    const failure = await failureOf(
      agent.request(ExecuteTool, { provider: 'files' }, request, { timeoutMs: 300 }),
    );
    expect(failure.code).toBe(code);
    await stop();
    expect(agent.connected).toBe(true);
  });

  it('that wants its answer anywhere but in an inbox is neither handled nor answered', async () => {
    const handled: string[] = [];
    @Controller()
    class FilesController {
      @OnRequest(ExecuteTool)
      execute({ callId }: ExecuteToolRequest): ExecuteToolReply {
        handled.push(callId);
        return told('done');
      }
    }
    await serve('tool-files', FilesController, filesParams);
    const agent = await busOf('agent');
    for (const reply of ['$JS.API.STREAM.PURGE.AUDIT', 'audit.confirmation', 'chat.in.default.x7k2m9pq']) {
      agent.connection.publish('tools.exec.files', JSON.stringify(request), { reply });
    }
    const last = { ...request, callId: 'last' };
    expect(await agent.request(ExecuteTool, { provider: 'files' }, last)).toEqual(told('done'));
    expect(handled).toEqual(['last']);
  });

  it('whose reply comes late is a time-out, and the late reply disturbs nothing', async () => {
    const late: Msg[] = [];
    const stop = await answerRaw('tools.exec.files', (message) => late.push(message));
    const agent = await busOf('agent');
    const failure = await failureOf(
      agent.request(ExecuteTool, { provider: 'files' }, request, { timeoutMs: 100 }),
    );
    expect(failure).toMatchObject({ code: 'BUS.TIMEOUT', retryable: true });
    late[0]?.respond(JSON.stringify(told('too late')));
    await agent.connection.flush();
    await stop();
    expect(agent.connected).toBe(true);
  });

  it('that nobody serves fails at once as such', async () => {
    const agent = await busOf('agent');
    const failure = await failureOf(agent.request(ExecuteTool, { provider: 'nobody' }, request));
    expect(failure).toMatchObject({ code: 'BUS.NO_RESPONDERS', retryable: true });
  });

  it('larger than the bus allows is refused before it is sent', async () => {
    const agent = await busOf('agent');
    const large = { ...request, arguments: { content: 'x'.repeat(1024 * 1024) } };
    expect((await failureOf(agent.request(ExecuteTool, { provider: 'files' }, large))).code).toBe(
      'BUS.TOO_LARGE',
    );
  });

  it('whose reply would be larger than the bus allows is refused by the service', async () => {
    @Controller()
    class Tool {
      @OnRequest(ExecuteTool)
      execute(): ExecuteToolReply {
        return told('x'.repeat(2 * 1024 * 1024));
      }
    }
    await serve('tool-files', Tool, filesParams);
    const agent = await busOf('agent');
    expect((await failureOf(agent.request(ExecuteTool, { provider: 'files' }, request))).code).toBe(
      'BUS.TOO_LARGE',
    );
  });

  it('keeps the code of an AppError and hides what any other error says', async () => {
    @Controller()
    class Tool {
      @OnRequest(ExecuteTool)
      execute({ tool }: ExecuteToolRequest): ExecuteToolReply {
        if (tool === 'files_info')
          throw new AppError('FILES.LOCKED', 'Bob has it open.', { retryable: true });
        throw new Error('the password is hunter2');
      }
    }
    await serve('tool-files', Tool, filesParams);
    const agent = await busOf('agent');
    const ask = (tool: string) =>
      failureOf(agent.request(ExecuteTool, { provider: 'files' }, { ...request, tool }));
    expect(await ask('files_info')).toEqual({
      code: 'FILES.LOCKED',
      message: 'Bob has it open.',
      retryable: true,
    });
    const hidden = await ask('files_list');
    expect(hidden.code).toBe('BUS.INTERNAL');
    expect(hidden.message).not.toContain('hunter2');
  });

  it('to a subject that would be a wildcard is never sent', async () => {
    const agent = await busOf('agent');
    for (const provider of ['*', '>', 'a.b', '', 'A', 'x'.repeat(41), 'ä']) {
      expect((await failureOf(agent.request(ExecuteTool, { provider }, request))).code).toBe(
        'BUS.INVALID_SUBJECT',
      );
    }
  });

  it('after its deadline is not sent, and one that waited in line past it is not run', async () => {
    let runs = 0;
    const release: (() => void)[] = [];
    @Controller()
    class Tool {
      @OnRequest(ExecuteTool)
      async execute(): Promise<ExecuteToolReply> {
        runs += 1;
        await new Promise<void>((resolve) => release.push(resolve));
        return told('done');
      }
    }
    await serve('tool-files', Tool, { ...filesParams, maxInFlight: 1 });
    const agent = await busOf('agent');
    const first = agent.request(ExecuteTool, { provider: 'files' }, request);
    await eventually(() => runs === 1, { describe: 'the first run' });
    const second = failureOf(agent.request(ExecuteTool, { provider: 'files' }, request, { timeoutMs: 200 }));
    expect((await second).code).toBe('BUS.TIMEOUT');
    release[0]?.();
    await expect(first).resolves.toEqual(told('done'));
    await agent.connection.flush();
    expect(runs).toBe(1);
    const past = failureOf(agent.request(ExecuteTool, { provider: 'files' }, request, { timeoutMs: -1 }));
    expect((await past).code).toBe('BUS.TIMEOUT');
  });

  it('beyond the limit in flight and its line is told that the service is busy', async () => {
    const release: (() => void)[] = [];
    @Controller()
    class Tool {
      @OnRequest(ExecuteTool)
      async execute(): Promise<ExecuteToolReply> {
        await new Promise<void>((resolve) => release.push(resolve));
        return told('done');
      }
    }
    await serve('tool-files', Tool, { ...filesParams, maxInFlight: 1 });
    const agent = await busOf('agent');
    const all = Array.from({ length: 10 }, () => agent.request(ExecuteTool, { provider: 'files' }, request));
    const outcomes = Promise.allSettled(all);
    await eventually(() => release.length > 0, { describe: 'the first run' });
    // One runs, eight wait: the tenth is refused while the others are still in hand.
    const refused = await Promise.any(all.map(async (one) => failureOf(one)));
    expect(refused).toMatchObject({ code: 'BUS.OVERLOADED', retryable: true });
    for (let answered = 0; answered < 9; answered += 1) {
      await eventually(() => release.length > answered, { describe: 'the next run' });
      release[answered]?.();
    }
    const settled = await outcomes;
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(9);
  });
});

describe('two replicas', () => {
  it('share requests, and each event reaches both', async () => {
    const served = [0, 0];
    const heard = [0, 0];
    const agentBus = await busOf('agent');
    const replica = (index: 0 | 1): Type => {
      @Controller()
      class Tool {
        @OnRequest(ExecuteTool)
        execute(): ExecuteToolReply {
          served[index] = (served[index] ?? 0) + 1;
          return told('done');
        }
      }
      return Tool;
    };
    const listener = (index: 0 | 1): Type => {
      @Controller()
      class Listener {
        @OnEvent(ToolsChanged)
        changed(): void {
          heard[index] = (heard[index] ?? 0) + 1;
        }
      }
      return Listener;
    };
    const { bus: toolBus } = await serve('tool-files', replica(0), filesParams);
    await serve('tool-files', replica(1), filesParams);
    await serve('agent', listener(0));
    await serve('agent', listener(1));
    for (let i = 0; i < 40; i += 1) await agentBus.request(ExecuteTool, { provider: 'files' }, request);
    expect((served[0] ?? 0) + (served[1] ?? 0)).toBe(40);
    expect(Math.min(...served)).toBeGreaterThan(0);
    toolBus.publish(ToolsChanged, { provider: 'files' }, { v: 1, provider: 'files' });
    await eventually(() => heard[0] === 1 && heard[1] === 1, { describe: 'the event at both' });
  });
});

describe('draining', () => {
  it('answers what is in hand before the service is closed', async () => {
    const release: (() => void)[] = [];
    @Controller()
    class Tool {
      @OnRequest(ExecuteTool)
      async execute(): Promise<ExecuteToolReply> {
        await new Promise<void>((resolve) => release.push(resolve));
        return told('finished');
      }
    }
    const { app } = await serve('tool-files', Tool, filesParams);
    const agent = await busOf('agent');
    const inHand = Array.from({ length: 8 }, () =>
      agent.request(ExecuteTool, { provider: 'files' }, request),
    );
    await eventually(() => release.length === 8, { describe: 'all eight in hand' });
    const closing = app.close();
    const after = failureOf(
      (async () => {
        // The subscription ends a moment after the drain begins.
        for (;;) await agent.request(ExecuteTool, { provider: 'files' }, request, { timeoutMs: 100 });
      })(),
    );
    expect((await after).code).toMatch(/NO_RESPONDERS|TIMEOUT/);
    for (const finish of release) finish();
    await closing;
    expect(await Promise.all(inHand)).toEqual(Array(8).fill(told('finished')));
  });
});

describe('collect', () => {
  const question = { v: 1 as const, instance: { id: 'default', nextcloudMajor: 32, apps: [] } };
  const window = {
    identify: ({ provider }: CollectToolProvidersReply) => provider,
    graceMs: 50,
    maxWaitMs: 400,
  };

  const provider = async (answer: (message: Msg) => void) => answerRaw('tools.collect', answer);
  const offer = (id: string) => JSON.stringify({ v: 1, provider: id, tools: [] });

  it('returns with the last expected answer and takes a later one as late', async () => {
    const late: string[] = [];
    const held: Msg[] = [];
    const stopA = await provider((message) => message.respond(offer('a')));
    const stopB = await provider((message) => held.push(message));
    const agent = await busOf('agent');
    const collected = await agent.collect(CollectToolProviders, {}, question, {
      ...window,
      maxWaitMs: 5_000,
      expected: new Set(['a']),
      onLate: (id) => late.push(id),
    });
    expect([...collected.answers.keys()]).toEqual(['a']);
    expect(collected.silent).toEqual([]);
    held[0]?.respond(offer('b'));
    await eventually(() => late.length > 0, { describe: 'the late answer' });
    expect(late).toEqual(['b']);
    await Promise.all([stopA(), stopB()]);
  });

  it('names the silent and keeps the good answers beside bad ones', async () => {
    const stops = await Promise.all([
      provider((message) => message.respond(offer('good'))),
      provider((message) => message.respond('garbage')),
      provider((message) => message.respond(JSON.stringify({ v: 1, provider: 'NOT AN ID', tools: [] }))),
      provider(() => undefined),
    ]);
    const agent = await busOf('agent');
    const collected = await agent.collect(CollectToolProviders, {}, question, {
      ...window,
      expected: new Set(['good', 'silent']),
    });
    expect([...collected.answers.keys()]).toEqual(['good']);
    expect(collected.silent).toEqual(['silent']);
    expect(collected.unusable).toHaveLength(2);
    await Promise.all(stops.map((stop) => stop()));
  });

  it('survives a flood and keeps the first answer of each', async () => {
    const stop = await provider((message) => {
      // A service may answer once; the server drops the rest.
      for (let i = 0; i < 2_000; i += 1) message.respond(offer('flood'));
    });
    const agent = await busOf('agent');
    const collected = await agent.collect(CollectToolProviders, {}, question, {
      ...window,
      expected: new Set(['flood']),
    });
    expect([...collected.answers.keys()]).toEqual(['flood']);
    await stop();
    expect(agent.connected).toBe(true);
  });

  it('without any listener returns at once with everybody silent', async () => {
    const agent = await busOf('agent');
    const collected = await agent.collect(CollectToolProviders, {}, question, {
      ...window,
      maxWaitMs: 30_000,
      expected: new Set(['a', 'b', 'c']),
    });
    expect(collected.silent).toEqual(['a', 'b', 'c']);
  });
});

describe('a restart of nats-server', () => {
  it('is survived by both sides without a restart of their own', async () => {
    @Controller()
    class Tool {
      @OnRequest(ExecuteTool)
      execute(): ExecuteToolReply {
        return told('back');
      }
    }
    await serve('tool-files', Tool, filesParams);
    const agent = await busOf('agent');
    await bed.nats.kill();
    await eventually(() => !agent.connected, { describe: 'the loss of the connection' });
    await bed.nats.restart();
    const answer = await eventually(
      () => agent.request(ExecuteTool, { provider: 'files' }, request, { timeoutMs: 500 }),
      { describe: 'an answer after the restart', deadlineMs: 15_000 },
    );
    expect(answer).toEqual(told('back'));
  });
});

describe('the Services API', () => {
  it('shows every replica under its name with numbers of its own', async () => {
    @Controller()
    class Tool {
      @OnRequest(ExecuteTool)
      execute({ tool }: ExecuteToolRequest): ExecuteToolReply {
        if (tool === 'files_info') throw new AppError('FILES.LOCKED', 'Bob has it open.');
        return told('done');
      }
      @OnRequest(CollectToolProviders)
      collect(): CollectToolProvidersReply {
        return { v: 1, provider: 'files', tools: [] };
      }
    }
    await serve('tool-files', Tool, filesParams);
    await serve('tool-files', Tool, filesParams);
    const agent = await busOf('agent');
    await agent.request(ExecuteTool, { provider: 'files' }, request);
    await failureOf(agent.request(ExecuteTool, { provider: 'files' }, { ...request, tool: 'files_info' }));
    const monitor = await busOf('monitor');
    const client = monitor.connection.services.client({ strategy: 'timer' as never, maxWait: 300 });
    const infos = [];
    for await (const info of await client.info('tool-files')) infos.push(info);
    expect(infos).toHaveLength(2);
    expect(infos[0]?.endpoints?.map(({ subject }) => subject).sort()).toEqual([
      'tools.collect',
      'tools.exec.files',
    ]);
    const data = [];
    for await (const stats of await client.stats('tool-files')) {
      for (const endpoint of stats.endpoints ?? [])
        if (endpoint.subject === 'tools.exec.files') data.push(endpoint.data);
    }
    const total = (data as { answered: number; failed: number; lastError: string | null }[]).reduce(
      (sum, { answered, failed }) => ({ answered: sum.answered + answered, failed: sum.failed + failed }),
      { answered: 0, failed: 0 },
    );
    expect(total).toEqual({ answered: 1, failed: 1 });
  });
});

describe('permissions', () => {
  it('refuse a service what is not its own, as a typed error', async () => {
    const tool = await busOf('tool-files');
    const post = {
      v: 1 as const,
      key: 'k',
      instance: 'default',
      bot: 'nuq',
      room: 'x7k2m9pq',
      post: { type: 'message' as const, text: 'x' },
    };
    expect((await failureOf(tool.request(PostToRoom, {}, post, { timeoutMs: 1_000 }))).code).toBe(
      'BUS.NOT_PERMITTED',
    );
  });
});
