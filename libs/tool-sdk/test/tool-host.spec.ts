import { runInNewContext } from 'node:vm';
import { readToolPolicy, writeToolPolicy } from '@nuqloud/contracts';
import type { AttestationClaims, ToolResult } from '@nuqloud/contracts';
import { AppError, createLogger } from '@nuqloud/platform';
import { z } from 'zod';
import { defineTool, InvalidToolDefinition, ToolFailure } from '../src/index';
import type { Tool, ToolSpecification, VerifiedCall } from '../src/index';
import type { CallVerifier } from '../src/run/call-verifier';
import { CALL_ERRORS } from '../src/run/call-verifier';
import { CallPlanner } from '../src/approve/call-planner';
import { ToolCatalogue } from '../src/run/tool-catalogue';
import { ToolHost } from '../src/run/tool-host';
import { callOf } from './attested-call';

const Arguments = z.strictObject({ query: z.string() });
type Specification = ToolSpecification<typeof Arguments, VerifiedCall>;

const tool = (run: Specification['run'], over: Partial<Specification> = {}): Tool<VerifiedCall> =>
  defineTool({
    name: 'notes_find',
    description: 'Finds notes.',
    label: 'Find notes',
    summary: 'Finds notes.',
    policy: readToolPolicy(),
    arguments: Arguments,
    run,
    ...over,
  });

const claims = { sub: 'users/alice' } as AttestationClaims;
/** Signatures are the business of its own spec. */
const trusting = { verify: () => Promise.resolve(claims) } as unknown as CallVerifier;

const lines: string[] = [];
const logger = createLogger({ service: 'test', level: 'trace' }, { write: (line) => void lines.push(line) });
beforeEach(() => lines.splice(0));

const hostOf = (...tools: Tool<VerifiedCall>[]) =>
  new ToolHost<VerifiedCall>({
    catalogue: new ToolCatalogue('notes', tools, logger),
    verifier: trusting,
    planner: new CallPlanner('notes', undefined),
    logger,
    createCall: (call) => call,
  });

const execute = async (
  one: Tool<VerifiedCall>,
  over: Parameters<typeof callOf>[2] = {},
  deadline = Date.now() + 5_000,
): Promise<ToolResult> => {
  const message = { correlationId: 'c', traceparent: '00-x', deadline };
  const reply = await hostOf(one).execute(callOf('a', 'the person wrote this', over), message);
  if (!('result' in reply)) throw new Error('it was planned, not run');
  return reply.result;
};

const textOf = ({ content }: ToolResult): string => content.map(({ text }) => text).join('');

it('gives the tool its arguments, who asked, what was written and the scope', async () => {
  const seen: VerifiedCall[] = [];
  const result = await execute(
    tool(({ query }, call) => {
      seen.push(call);
      return Promise.resolve({ text: `found ${query}` });
    }),
    { scope: { paths: ['/Projects'] } },
  );
  expect(result).toEqual({ content: [{ type: 'text', text: 'found x' }], isError: false });
  expect(seen[0]).toMatchObject({
    claims,
    text: 'the person wrote this',
    attestation: 'a',
    scope: { paths: ['/Projects'] },
    context: { zone: 'Europe/Berlin' },
  });
});

it('answers wrong arguments without running the tool', async () => {
  let ran = false;
  const result = await execute(
    tool(() => {
      ran = true;
      return Promise.resolve({ text: '' });
    }),
    { arguments: { query: 1 } },
  );
  expect(result.isError).toBe(true);
  expect(textOf(result)).toBe('notes_find was not run: `query` must be a text.');
  expect(ran).toBe(false);
});

it('tells what a tool says about its failure', async () => {
  const result = await execute(
    tool(() => Promise.reject(new ToolFailure('There is no note "x"; notes_list shows all.'))),
  );
  expect(result).toMatchObject({ isError: true });
  expect(textOf(result)).toBe('There is no note "x"; notes_list shows all.');
});

it('tells the sentence of any of our own errors', async () => {
  const result = await execute(
    tool(() => Promise.reject(new AppError('FILES.LOCKED', '/x is locked by Bob.'))),
  );
  expect(textOf(result)).toBe('/x is locked by Bob.');
  expect(lines.join()).toContain('FILES.LOCKED');
});

it.each([
  ['an error', () => Promise.reject(new Error('secret /etc/passwd'))],
  ['no error', () => runInNewContext(`Promise.reject('secret')`) as Promise<never>],
  [
    'at once',
    (): never => {
      throw new TypeError('secret');
    },
  ],
])('does not tell or log the words of a tool that throws %s', async (_what, run) => {
  const result = await execute(tool(run));
  expect(result.isError).toBe(true);
  expect(textOf(result)).toBe(
    'notes_find failed because of an error of its own: there is no result, and nothing was changed.',
  );
  expect(lines.join()).not.toContain('secret');
  expect(lines.join()).toContain('tool.failed');
});

it('does not claim that a failed write changed nothing', async () => {
  const result = await execute(tool(() => Promise.reject(new Error('x')), { policy: writeToolPolicy() }));
  expect(textOf(result)).toContain('whether anything was changed is not known');
});

it('ends a tool at the deadline, whether it listens or not', async () => {
  let heard = false;
  const result = await execute(
    tool((_args, { signal }) => {
      signal.addEventListener('abort', () => (heard = true));
      return new Promise(() => undefined);
    }),
    {},
    Date.now() + 300,
  );
  expect(result.isError).toBe(true);
  expect(textOf(result)).toBe(
    'notes_find took too long and was stopped: there is no result, and nothing was changed.',
  );
  expect(heard).toBe(true);
});

it('ends what a tool left open when the call is over', async () => {
  let signal: AbortSignal | undefined;
  await execute(
    tool((_args, call) => {
      signal = call.signal;
      return Promise.resolve({ text: '' });
    }),
  );
  expect(signal?.aborted).toBe(true);
});

it('cuts an answer at the tool’s own cap', async () => {
  const result = await execute(
    tool(() => Promise.resolve({ text: 'y'.repeat(900) }), { maxCharacters: 300 }),
  );
  expect(textOf(result).length).toBeLessThanOrEqual(300);
  expect(textOf(result)).toContain('left out');
});

it('refuses a tool it does not have, and finds one by its former name', async () => {
  const one = tool(() => Promise.resolve({ text: 'ok' }), { aliases: ['find_notes'] });
  await expect(execute(one, { tool: 'notes_erase' })).rejects.toMatchObject({
    code: CALL_ERRORS.UNKNOWN_TOOL,
  });
  expect(textOf(await execute(one, { tool: 'find_notes' }))).toBe('ok');
});

it('logs ids and numbers of a call, nothing of what was said', async () => {
  await execute(
    tool(() => Promise.resolve({ text: 'private answer' })),
    { arguments: { query: 'private question' } },
  );
  const [line = ''] = lines;
  expect(JSON.parse(line)).toMatchObject({
    event: 'tool.executed',
    tool: 'notes_find',
    callId: 'call-1',
    isError: false,
  });
  expect(lines.join()).not.toMatch(/private|person wrote/);
});

it('offers what works on the instance, and one broken check costs one tool', () => {
  const run = () => Promise.resolve({ text: '' });
  const broken = () => {
    throw new Error('broken');
  };
  const host = hostOf(
    tool(run),
    tool(run, { name: 'notes_new', available: ({ nextcloudMajor }) => nextcloudMajor === 33 }),
    tool(run, { name: 'notes_broken', available: broken }),
  );
  const instance = { id: 'main', nextcloudMajor: 32, apps: [] };
  expect(host.collect({ v: 1, instance })).toMatchObject({
    provider: 'notes',
    tools: [{ name: 'notes_find' }],
  });
  expect(host.collect({ v: 1, instance: { ...instance, nextcloudMajor: 33 } }).tools).toHaveLength(2);
});

it('cannot be made with two tools of one name', () => {
  const one = tool(() => Promise.resolve({ text: '' }));
  expect(() => hostOf(one, one)).toThrow(InvalidToolDefinition);
});
