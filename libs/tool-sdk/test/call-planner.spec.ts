import {
  openWorldToolPolicy,
  PLAN_AUDIENCE,
  PLAN_TYPE,
  PlanClaims,
  readToolPolicy,
  VerificationKey,
} from '@nuqloud/contracts';
import type { AttestationClaims, PrivateKeyFile, ToolResult } from '@nuqloud/contracts';
import {
  actionHash,
  createLogger,
  effectHash,
  generateKeys,
  OutcomeUnknown,
  TokenSigner,
  TokenVerifier,
} from '@nuqloud/platform';
import { z } from 'zod';
import { CallPlanner } from '../src/approve/call-planner';
import { defineTool } from '../src/index';
import type { Tool, VerifiedCall } from '../src/index';
import type { CallVerifier } from '../src/run/call-verifier';
import { ToolCatalogue } from '../src/run/tool-catalogue';
import { ToolHost } from '../src/run/tool-host';
import { callOf } from './attested-call';
import { EFFECT, PlanningTool } from './planning-tool';

const claims = {
  sub: 'users/alice',
  instance: 'main',
  bot: 'nuq',
  room: 'x7k2m9pq',
  message: '4711',
} as AttestationClaims;
const trusting = { verify: () => Promise.resolve(claims) } as unknown as CallVerifier;
const logger = createLogger({ service: 'test', level: 'silent' });

let keys: PrivateKeyFile;
let tokens: TokenVerifier;
beforeAll(async () => {
  keys = await generateKeys('tool-notes');
  tokens = new TokenVerifier({
    version: 1,
    services: { 'tool-notes': { signing: [VerificationKey.parse(keys.signing)], nats: 'U' } },
  });
});

type Request = NonNullable<Parameters<typeof callOf>[2]>;

const execute = (tool: Tool<VerifiedCall>, over: Request = {}, canAsk = true) => {
  const approvals = {
    signer: new TokenSigner('tool-notes', keys.signing),
    identify: () => Promise.resolve({ mode: 'user' as const, profile: null, uid: 'alice' }),
  };
  const host = new ToolHost<VerifiedCall>({
    catalogue: new ToolCatalogue('notes', [tool], logger),
    verifier: trusting,
    planner: new CallPlanner('notes', canAsk ? approvals : undefined),
    createCall: (call) => call,
    logger,
  });
  const message = { correlationId: 'c', traceparent: '00-x', deadline: Date.now() + 5_000 };
  return host.execute(callOf('a', 'text', { tool: tool.definition.name, ...over }), message);
};

const planOf = async (...call: Parameters<typeof execute>): Promise<PlanClaims['actions'][number]> => {
  const reply = await execute(...call);
  if (!('plan' in reply)) throw new Error(`it ran: ${JSON.stringify(reply.result)}`);
  const expected = { type: PLAN_TYPE, issuer: 'tool-notes', audience: PLAN_AUDIENCE, claims: PlanClaims };
  const [one] = (await tokens.verify(reply.plan, expected)).actions;
  if (!one) throw new Error('the plan is empty');
  return one;
};

const resultOf = async (...call: Parameters<typeof execute>): Promise<ToolResult> => {
  const reply = await execute(...call);
  if (!('result' in reply)) throw new Error('it was planned');
  return reply.result;
};

const textOf = ({ content }: ToolResult): string => content.map(({ text }) => text).join('');

describe('a tool that says that the person must be asked', () => {
  it('looks, and does nothing but say what it would do', async () => {
    const planning = new PlanningTool();
    const { action, hash, effect } = await planOf(planning.tool(), { scope: { paths: ['/a'] } });
    expect(planning.asked).toEqual(['look', 'confirm what was seen']);
    expect(effect).toEqual(EFFECT);
    expect(action).toEqual({
      v: 1,
      provider: 'notes',
      tool: 'notes_change',
      arguments: { query: 'x', times: 1 },
      targets: [{ id: '7', name: '/note', revision: '"e1"' }],
      sub: 'users/alice',
      instance: 'main',
      bot: 'nuq',
      room: 'x7k2m9pq',
      message: '4711',
      mode: 'user',
      profile: null,
      uid: 'alice',
      scope: { paths: ['/a'] },
      effectHash: effectHash(EFFECT),
    });
    expect(hash).toBe(actionHash(action));
  });

  it('is refused where nobody can be asked, without acting', async () => {
    const planning = new PlanningTool();
    const result = await resultOf(planning.tool(), {}, false);
    expect(textOf(result)).toContain('needs the person\'s "yes", for which this provider cannot ask');
    expect(planning.asked).not.toContain('act');
  });

  it('names the sources of a tainted turn', async () => {
    const { effect, action } = await planOf(new PlanningTool().tool(), { taint: ['/a.md', 'Bob'] });
    expect(action).toMatchObject({ taint: ['/a.md', 'Bob'], effectHash: effectHash(EFFECT) });
    expect(effect.facts).toEqual([
      { kind: 'source', name: '/a.md' },
      { kind: 'source', name: 'Bob' },
    ]);
  });

  it('is told what taints the turn', async () => {
    const planning = new PlanningTool();
    planning.effect = null;
    let seen: VerifiedCall | undefined;
    planning.act = (call) => {
      seen = call;
      return Promise.resolve({ text: '' });
    };
    await resultOf(planning.tool(), { taint: ['/a.md'] });
    expect(seen?.taint).toEqual(['/a.md']);
    await resultOf(planning.tool());
    expect(seen?.taint).toEqual([]);
  });

  it('cannot plan what is too long to be asked for', async () => {
    const result = await resultOf(new PlanningTool().tool(), { arguments: { query: 'x'.repeat(500_000) } });
    expect(textOf(result)).toContain('too long to be asked for at once');
  });

  it('cannot plan what the contract does not know', async () => {
    const planning = new PlanningTool();
    planning.effect = { ...EFFECT, target: '' };
    expect(textOf(await resultOf(planning.tool()))).toBe(
      'notes_change planned something that cannot be asked for.',
    );
  });
});

describe('a tool that says that nobody needs to be asked', () => {
  const quiet = (): PlanningTool => {
    const planning = new PlanningTool();
    planning.effect = null;
    return planning;
  };

  it('acts at once on what it has seen, and hands on its receipt and whose words it read', async () => {
    const planning = quiet();
    const receipt = { action: 'notes.change', target: '/note' };
    planning.act = () => Promise.resolve({ text: 'done', receipt, foreign: '/note' });
    expect(await resultOf(planning.tool())).toEqual({
      content: [{ type: 'text', text: 'done' }],
      isError: false,
      receipt,
      foreign: '/note',
    });
    expect(planning.asked).toEqual(['look', 'confirm what was seen', 'act']);
  });

  it('asks all the same where an administrator wants it, by name and arguments', async () => {
    const planning = quiet();
    const args = { query: 'q'.repeat(400), times: 2 };
    const { effect, action } = await planOf(planning.tool(), { arguments: args, confirmAlways: true });
    expect(effect).toEqual({
      verb: 'call',
      target: 'Change a note',
      facts: [
        { kind: 'argument', name: 'query', value: `${'q'.repeat(300)}… (100 more characters)` },
        { kind: 'argument', name: 'times', value: '2' },
      ],
    });
    expect(action.arguments).toEqual(args);
    expect(action.effectHash).toBe(effectHash(effect));
    expect(planning.asked).not.toContain('act');
  });

  it('asks in a tainted turn when its effect leaves the person’s space', async () => {
    const tool = quiet().tool(openWorldToolPolicy());
    expect((await planOf(tool, { taint: ['Bob'] })).effect.facts).toContainEqual({
      kind: 'source',
      name: 'Bob',
    });
    expect((await resultOf(tool)).isError).toBe(false);
    expect((await resultOf(quiet().tool(), { taint: ['Bob'] })).isError).toBe(false);
  });

  it('is done where a look shows it, although no answer came', async () => {
    const planning = quiet();
    planning.act = () => Promise.reject(new OutcomeUnknown('NOTES.UNKNOWN', 'No answer came.'));
    planning.settled = () => Promise.resolve({ text: 'it was done' });
    expect(textOf(await resultOf(planning.tool()))).toBe('it was done');
    planning.settled = () => Promise.resolve(null);
    expect(await resultOf(planning.tool())).toMatchObject({ isError: true });
    expect(planning.asked.filter((what) => what === 'act')).toHaveLength(2);
  });
});

describe('a tool that only reads', () => {
  const reading = (args: z.ZodObject) =>
    defineTool<typeof args, VerifiedCall>({
      name: 'notes_find',
      description: 'Finds notes.',
      label: 'Find notes',
      summary: 'Finds notes.',
      policy: readToolPolicy(),
      arguments: args,
      run: () => Promise.resolve({ text: 'found' }),
    });

  it('asks where an administrator wants it', async () => {
    const { action } = await planOf(reading(z.strictObject({ query: z.string() })), { confirmAlways: true });
    expect(action).toMatchObject({ tool: 'notes_find', targets: [], arguments: { query: 'x' } });
  });

  it('does not ask about more arguments than a prompt shows', async () => {
    const names = Array.from({ length: 21 }, (_, n) => `a${n}`);
    const given = (count: number) => Object.fromEntries(names.slice(0, count).map((name) => [name, 'x']));
    const tool = reading(
      z.strictObject(Object.fromEntries(names.map((name) => [name, z.string().optional()]))),
    );
    await planOf(tool, { arguments: given(20), confirmAlways: true });
    const refused = await resultOf(tool, { arguments: given(21), confirmAlways: true });
    expect(textOf(refused)).toContain('a prompt shows 20 arguments, not 21');
  });

  it.each([
    ['a date', z.strictObject({ query: z.string().transform(() => new Date(0)) })],
    ['what it would not take again', z.strictObject({ query: z.string().transform((text) => text.length) })],
    ['what comes out otherwise again', z.strictObject({ query: z.string().transform((text) => `${text}!`) })],
  ])('cannot wait for a "yes" with arguments that become %s', async (_what, args) => {
    expect(textOf(await resultOf(reading(args), { confirmAlways: true }))).toContain('cannot wait');
    expect(textOf(await resultOf(reading(args)))).toBe('found');
  });
});
