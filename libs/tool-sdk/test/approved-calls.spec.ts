import type {
  ActionOutcome,
  ActOnApprovalRequest,
  AttestationClaims,
  GrantClaims,
  PlannedAction,
  PlannedEffect,
  ToolResult,
} from '@nuqloud/contracts';
import { AppError, createLogger, effectHash, OutcomeUnknown } from '@nuqloud/platform';
import type { ApprovalClaims } from '../src/approve/approval-claims';
import type { ApprovalVerifier } from '../src/approve/approval-verifier';
import { ApprovedCalls } from '../src/approve/approved-calls';
import { ToolFailure } from '../src/index';
import type { ActingIdentity, VerifiedCall } from '../src/index';
import { ToolCatalogue } from '../src/run/tool-catalogue';
import { callOf } from './attested-call';
import { EFFECT, PlanningTool } from './planning-tool';

const ACTION: PlannedAction = {
  v: 1,
  provider: 'notes',
  tool: 'notes_change',
  arguments: { query: 'x', times: 1 },
  targets: [{ id: '7', name: '/note', revision: '"e1"' }],
  sub: 'users/alice',
  instance: 'main',
  bot: 'nuq',
  room: 'x7k2m9pq',
  message: '4700',
  mode: 'user',
  profile: null,
  uid: 'alice',
  scope: { paths: ['/a'] },
  effectHash: effectHash(EFFECT),
};
/** What a look that finds everything as it was asks of the tool. */
const LOOKED = ['look', 'confirm what was seen'];
const GRANT = { confirmation: 'c', n: 1, jti: 'j' } as GrantClaims;

/** Signatures are the business of the verifier and of the tests on the real bus. */
const trusting = {
  verify: (request: ActOnApprovalRequest) =>
    Promise.resolve({ request, grant: GRANT, claims: { sub: 'users/alice' } as AttestationClaims }),
} as unknown as ApprovalVerifier;

const lines: string[] = [];
const logger = createLogger({ service: 'test', level: 'trace' }, { write: (line) => void lines.push(line) });

class Claims implements ApprovalClaims {
  readonly settled: ActionOutcome[] = [];
  deadlineMs = 60_000;
  refusal: AppError | undefined;

  constructor(private readonly asked: string[]) {}

  take(): Promise<{ token: string; deadline: number }> {
    this.asked.push('claim');
    if (this.refusal) return Promise.reject(this.refusal);
    return Promise.resolve({ token: 't', deadline: Date.now() + this.deadlineMs });
  }

  settle(_claim: unknown, outcome: ActionOutcome): Promise<void> {
    this.asked.push(`settle ${outcome.state}`);
    this.settled.push(outcome);
    return Promise.resolve();
  }
}

interface Scene {
  readonly planning: PlanningTool;
  readonly claims: Claims;
  identity: ActingIdentity;
  readonly calls: VerifiedCall[];
  act(over?: Partial<PlannedAction>, deadlineMs?: number): Promise<ToolResult>;
}

const scene = (): Scene => {
  const planning = new PlanningTool();
  const claims = new Claims(planning.asked);
  const calls: VerifiedCall[] = [];
  const one: Scene = {
    planning,
    claims,
    calls,
    identity: { mode: 'user', profile: null, uid: 'alice' },
    act: async (over = {}, deadlineMs = 20_000) => {
      const approved = new ApprovedCalls<VerifiedCall>({
        catalogue: new ToolCatalogue('notes', [planning.tool()], logger),
        verifier: trusting,
        claims,
        identify: () => Promise.resolve(one.identity),
        createCall: (call) => {
          calls.push(call);
          return call;
        },
        logger,
      });
      const { callId, context, attestation, text } = callOf('a', 'yes');
      const action = { ...ACTION, ...over };
      const request = { v: 1 as const, callId, action, grant: 'g', context, attestation, text };
      const message = { correlationId: 'c', traceparent: '00-x', deadline: Date.now() + deadlineMs };
      return (await approved.act(request, message)).result;
    },
  };
  return one;
};

const textOf = ({ content }: ToolResult): string => content.map(({ text }) => text).join('');

it('looks, claims, acts and settles, in this order, and never asks again', async () => {
  const { planning, claims, calls, act } = scene();
  const receipt = { action: 'notes.change', target: '/note' };
  planning.act = () => Promise.resolve({ text: 'changed', receipt, foreign: '/note' });
  expect(await act()).toEqual({
    content: [{ type: 'text', text: 'changed' }],
    isError: false,
    receipt,
    foreign: '/note',
  });
  expect(planning.asked).toEqual([...LOOKED, 'claim', 'act', 'settle done']);
  expect(claims.settled).toEqual([{ state: 'done', text: 'changed', receipt }]);
  expect(calls[0]).toMatchObject({ scope: { paths: ['/a'] }, taint: [], tool: 'notes_change', text: 'yes' });
});

it('does nothing when the claim is lost, and says so with the code of confirmation', async () => {
  const { planning, claims, act } = scene();
  claims.refusal = new AppError('CONFIRM.ALREADY_CLAIMED', 'Taken.');
  await expect(act()).rejects.toMatchObject({ code: 'CONFIRM.ALREADY_CLAIMED' });
  expect(planning.asked).toEqual([...LOOKED, 'claim']);
});

it.each<[string, Partial<PlannedAction>]>([
  ['another revision', { targets: [{ id: '7', name: '/note', revision: '"e0"' }] }],
  ['another thing', { targets: [{ id: '8', name: '/note', revision: '"e1"' }] }],
  ['another name', { targets: [{ id: '7', name: '/other', revision: '"e1"' }] }],
  ['less', { targets: [] }],
  ['more', { targets: [...ACTION.targets, { id: '9', name: '/more', revision: null }] }],
])('settles as failed, without acting, what was approved for %s', async (_what, over) => {
  const { planning, act } = scene();
  const result = await act(over);
  expect(result.isError).toBe(true);
  expect(textOf(result)).toMatch(/^Nothing was done: "\/.+" has changed since you were asked\.$/);
  expect(planning.asked).toEqual(['look', 'claim', 'settle failed']);
});

const CHANGED_EFFECT =
  'Nothing was done: What would happen is no longer what you were shown; ask for it again.';

it.each<[string, PlannedEffect | null]>([
  ['another fact', { ...EFFECT, facts: [{ kind: 'is-final' }] }],
  ['another verb', { ...EFFECT, verb: 'files.overwrite' }],
  ['no effect of its own', null],
])('settles as failed, without acting, what would now have %s', async (_what, effect) => {
  const { planning, act } = scene();
  planning.effect = effect;
  expect(textOf(await act())).toBe(CHANGED_EFFECT);
  expect(planning.asked).toEqual([...LOOKED, 'claim', 'settle failed']);
});

it('does what was asked for by its name and arguments only, unless it has an effect of its own by now', async () => {
  const { planning, act } = scene();
  const args = ['query', 'times'].map((name) => ({ kind: 'argument' as const, name }));
  const facts = args.map((fact) => ({ ...fact, value: fact.name === 'query' ? 'x' : '1' }));
  const asked = effectHash({ verb: 'call', target: 'Change a note', facts });
  expect(textOf(await act({ effectHash: asked }))).toBe(CHANGED_EFFECT);
  planning.effect = null;
  expect(textOf(await act({ effectHash: asked }))).toBe('done');
});

it('looks again in the light of what tainted the turn', async () => {
  const { calls, act } = scene();
  await act({ taint: ['/a.md'] });
  expect(calls[0]?.taint).toEqual(['/a.md']);
});

it.each<[string, ActingIdentity]>([
  ['mode', { mode: 'agent', profile: null, uid: 'alice' }],
  ['profile', { mode: 'user', profile: 'p', uid: 'alice' }],
  ['uid', { mode: 'user', profile: null, uid: 'Alice' }],
])('does nothing under another %s', async (_what, identity) => {
  const one = scene();
  one.identity = identity;
  expect(textOf(await one.act())).toContain('as somebody else');
  expect(one.planning.asked).toEqual(['look', 'claim', 'settle failed']);
});

it('settles in words what a look after the "yes" refuses', async () => {
  const { planning, act } = scene();
  planning.look = () => Promise.reject(new ToolFailure('There is no note any more.'));
  expect(textOf(await act())).toBe('Nothing was done: There is no note any more.');
  planning.look = () => Promise.reject(new Error('secret'));
  expect(textOf(await act())).toBe('Nothing was done: notes_change failed because of an error of its own.');
  expect(lines.join()).not.toContain('secret');
  expect(planning.asked.filter((what) => what === 'act')).toEqual([]);
});

it('settles as failed, without acting, arguments that the tool takes no longer', async () => {
  const { planning, act } = scene();
  expect(textOf(await act({ arguments: { question: 'x' } }))).toContain('there is no argument `question`');
  expect(planning.asked).toEqual(['claim', 'settle failed']);
});

it('settles as failed what the tool says it did not do', async () => {
  const { planning, claims, act } = scene();
  planning.act = () => Promise.reject(new ToolFailure('It is locked by Bob.'));
  expect(await act()).toMatchObject({ isError: true });
  expect(claims.settled).toEqual([{ state: 'failed', text: 'It is locked by Bob.' }]);
  expect(planning.asked).not.toContain('read back');
});

it.each([
  ['no answer', () => Promise.reject(new OutcomeUnknown('NOTES.UNKNOWN', 'No answer came.'))],
  ['a mistake of the tool', () => Promise.reject(new Error('secret'))],
])('looks what became of it after %s, and reports what it cannot tell as unknown', async (_what, failure) => {
  const { planning, claims, act } = scene();
  planning.act = failure;
  expect(await act()).toMatchObject({ isError: true });
  expect(planning.asked).toEqual([...LOOKED, 'claim', 'act', 'read back', 'settle unknown']);
  planning.settled = () => Promise.resolve({ text: 'it was done' });
  expect(textOf(await act())).toBe('it was done');
  expect(claims.settled.at(-1)).toEqual({ state: 'done', text: 'it was done' });
  planning.settled = () => Promise.reject(new Error('secret'));
  await act();
  expect(claims.settled.at(-1)?.state).toBe('unknown');
  expect(JSON.stringify(claims.settled) + lines.join()).not.toContain('secret');
});

it('keeps time to look what became of an act that does not end', async () => {
  const { planning, calls, act } = scene();
  planning.act = () => new Promise(() => undefined);
  planning.settled = () => Promise.resolve({ text: 'it was done' });
  expect(textOf(await act({}, 2_500))).toBe('it was done');
  const [acting, looking] = calls;
  expect(acting?.signal.aborted).toBe(true);
  expect(looking).not.toBe(acting);
});

it('acts no longer than its claim is good for', async () => {
  const { planning, claims, act } = scene();
  claims.deadlineMs = 1_500;
  planning.act = () => new Promise(() => undefined);
  // The caller would wait longer than this test may take.
  expect(await act({}, 10 * 60_000)).toMatchObject({ isError: true });
  expect(planning.asked.at(-1)).toBe('settle unknown');
});

it('does not begin when its time is over before it could', async () => {
  const { planning, act } = scene();
  planning.look = () => new Promise(() => undefined);
  expect(textOf(await act({}, 1_000))).toBe('Nothing was done: notes_change could not begin in time.');
  expect(planning.asked).toEqual(['look', 'claim', 'settle failed']);
});

it('refuses an action of a tool that it does not have', async () => {
  const { planning, act } = scene();
  await expect(act({ tool: 'notes_erase' })).rejects.toMatchObject({ code: 'TOOL.UNKNOWN' });
  expect(planning.asked).toEqual([]);
});
