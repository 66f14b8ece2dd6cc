import type { RequestedCall, ToolPolicy } from '@nuqloud/contracts';
import {
  destructiveToolPolicy,
  openWorldToolPolicy,
  readToolPolicy,
  undeclaredToolPolicy,
  writeToolPolicy,
} from '@nuqloud/contracts';
import fc from 'fast-check';
import { buildLoadout, matchesPattern } from './loadout';
import type { LoadedTool } from './loadout';
import { callSignature, decideBatch, executionGroups, parseArguments } from './tool-batch';
import type { BatchFacts } from './tool-batch';

const tool = (
  name: string,
  policy: ToolPolicy,
  { confirmAlways = false, provider = 'files' } = {},
): LoadedTool => ({
  provider,
  definition: { name, description: name, schema: { type: 'object', properties: {} } },
  policy,
  confirmAlways,
  scope: undefined,
});

const tools = new Map(
  [
    tool('read', readToolPolicy()),
    tool('write', writeToolPolicy()),
    tool('delete', destructiveToolPolicy()),
    tool('share', openWorldToolPolicy()),
    tool('strict', readToolPolicy(), { confirmAlways: true }),
    tool('acme_write', writeToolPolicy(), { provider: 'acme' }),
    tool('acme_read', readToolPolicy(), { provider: 'acme' }),
    tool('acme_any', undeclaredToolPolicy(), { provider: 'acme' }),
    tool('acme_share', openWorldToolPolicy(), { provider: 'acme' }),
    tool('acme_strict', readToolPolicy(), { provider: 'acme', confirmAlways: true }),
  ].map((loaded) => [loaded.definition.name, loaded]),
);

const call = (name: string, argumentsText = '{}', id = name): RequestedCall => ({ id, name, argumentsText });
const fits = () => undefined;
const facts: BatchFacts = {
  tools,
  doneWrites: new Map(),
  check: fits,
  isCore: (provider) => provider === 'files',
  taint: [],
};
const decide = (...calls: RequestedCall[]) => decideBatch(calls, facts);

it('runs a known call with readable arguments', () => {
  expect(decide(call('read', '{"path":"/"}'))).toMatchObject([{ kind: 'run', arguments: { path: '/' } }]);
});

it('takes an empty string for no arguments', () => {
  expect(decide(call('read', ' '))).toMatchObject([{ kind: 'run', arguments: {} }]);
});

it.each(['[]', 'null', '"x"', '7', '{"path":', 'path=/'])(
  'answers the arguments %j instead of guessing',
  (text) => {
    expect(decide(call('read', text))).toMatchObject([
      { kind: 'answer', text: expect.stringContaining('not run') },
    ]);
  },
);

it('answers an unknown name with those that exist, however similar it is', () => {
  expect(decide(call('reed'))).toMatchObject([
    { kind: 'answer', text: expect.stringContaining('read, write') },
  ]);
});

it.each(['delete', 'share', 'strict'])('hands %s to our own provider, which plans it', (name) => {
  expect(decide(call(name))).toMatchObject([{ kind: 'run' }]);
});

it.each(['acme_any', 'acme_share', 'acme_strict'])(
  'proposes %s of a third party instead of running it',
  (name) => {
    expect(decide(call(name, '{"a":1}'))).toMatchObject([
      {
        kind: 'propose',
        proposal: { call: { provider: 'acme', tool: name, arguments: { a: 1 }, sources: [] } },
      },
    ]);
  },
);

it("proposes every write of a third party in a tainted turn, with the taint's sources, and runs its reads", () => {
  const tainted = { ...facts, taint: ['mail of Eve'] };
  expect(decideBatch([call('acme_write'), call('acme_read'), call('write')], tainted)).toMatchObject([
    { kind: 'propose', proposal: { call: { sources: ['mail of Eve'] } } },
    { kind: 'run' },
    { kind: 'run' },
  ]);
  expect(decide(call('acme_write'))).toMatchObject([{ kind: 'run' }]);
});

it('proposes the same call once when one batch holds it twice', () => {
  expect(decide(call('acme_any', '{}', '1'), call('acme_any', '{}', '2')).map(({ kind }) => kind)).toEqual([
    'propose',
    'answer',
  ]);
});

it('refuses arguments that do not fit the schema with what is wrong', () => {
  const [decision] = decideBatch([call('read')], { ...facts, check: () => 'path: is missing.' });
  expect(decision).toMatchObject({ kind: 'answer', text: 'The call was not run: path: is missing.' });
});

it('answers an identical write of the same turn from its receipt, whatever the order of its arguments', () => {
  const done = new Map([[callSignature('write', { a: 1, b: 2 }), 'Wrote /x.']]);
  const [decision] = decideBatch([call('write', '{"b":2,"a":1}')], { ...facts, doneWrites: done });
  expect(decision).toMatchObject({ kind: 'answer', text: expect.stringContaining('Wrote /x.') });
});

it('runs the same write once when one batch holds it twice', () => {
  const decisions = decide(
    call('write', '{"a":1}', '1'),
    call('write', '{ "a": 1 }', '2'),
    call('write', '{"a":2}', '3'),
  );
  expect(decisions.map(({ kind }) => kind)).toEqual(['run', 'answer', 'run']);
});

it('runs the same read as often as it is asked for', () => {
  expect(decide(call('read', '{}', '1'), call('read', '{}', '2')).map(({ kind }) => kind)).toEqual([
    'run',
    'run',
  ]);
});

it('decides every call of any batch and keeps their order', () => {
  const anyCall = fc.record({
    id: fc.string(),
    name: fc.oneof(fc.constantFrom(...tools.keys()), fc.string()),
    argumentsText: fc.oneof(fc.json(), fc.string()),
  });
  fc.assert(
    fc.property(fc.array(anyCall), (calls) => {
      const decisions = decideBatch(calls, facts);
      expect(decisions.map((decision) => decision.call)).toEqual(calls);
      for (const decision of decisions) {
        if (decision.kind !== 'run') continue;
        const { provider, definition } = decision.tool;
        if (provider === 'acme') expect(['acme_read', 'acme_write']).toContain(definition.name);
      }
    }),
  );
});

it('answers arguments nested beyond reason instead of walking through them', () => {
  const deep = `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
  expect(decide(call('read', deep))).toMatchObject([
    { kind: 'answer', text: expect.stringContaining('nested') },
  ]);
});

it('never throws on arguments', () => {
  fc.assert(fc.property(fc.string(), (text) => void parseArguments(text)));
});

it('runs neighbouring reads side by side up to the limit, and writes alone', () => {
  const r = { readOnly: true };
  const w = { readOnly: false };
  expect(executionGroups([r, r, r, w, w, r], 2).map((group) => group.length)).toEqual([2, 1, 1, 1, 1]);
  expect(executionGroups([], 4)).toEqual([]);
});

describe('a loadout', () => {
  const core = new Set(['files']);
  const offered = new Map([...tools.values()].map((loaded) => [loaded.definition.name, loaded]));
  const assign = (name: string) => ({ tool: name, confirmAlways: false, scope: undefined });

  it('keeps an assignment whose tool is gone as away, and the order of the others', () => {
    const loadout = buildLoadout([assign('write'), assign('gone'), assign('read')], offered, core);
    expect(loadout.tools.map(({ definition }) => definition.name)).toEqual(['write', 'read']);
    expect(loadout.away).toEqual(['gone']);
  });

  it('finds a tool by its former name, once', () => {
    const renamed = {
      ...tool('files_list', readToolPolicy()),
      definition: {
        name: 'files_list',
        description: 'x',
        schema: { type: 'object' as const, properties: {} },
        aliases: ['files_ls'],
      },
    };
    const loadout = buildLoadout(
      [assign('files_ls'), assign('files_list')],
      new Map([['files_list', renamed]]),
      core,
    );
    expect(loadout.tools.map(({ definition }) => definition.name)).toEqual(['files_list']);
  });

  it('takes a tool without a policy for a write that needs confirmation', () => {
    const bare = {
      provider: 'x',
      definition: { name: 'bare', description: 'x', schema: { type: 'object' as const, properties: {} } },
    };
    const [loaded] = buildLoadout([assign('bare')], new Map([['bare', bare]]), new Set(['x'])).tools;
    expect(loaded?.policy).toEqual(undeclaredToolPolicy());
  });

  it('does not believe the policy that a foreign provider declares', () => {
    const [loaded] = buildLoadout([assign('read')], offered, new Set(['other'])).tools;
    expect(loaded?.policy).toEqual(undeclaredToolPolicy());
  });

  it('is empty without assignments', () => {
    expect(buildLoadout([], offered, core)).toEqual({ tools: [], away: [] });
  });

  it('expands a pattern by its beginning only', () => {
    expect(matchesPattern('files_*', 'files_list')).toBe(true);
    expect(matchesPattern('files_*', 'my_files_list')).toBe(false);
    expect(matchesPattern('files_list', 'files_list')).toBe(false);
  });
});
