import { readToolPolicy } from '@nuqloud/contracts';
import fc from 'fast-check';
import { acceptDefinitions, mergeOffers } from './accept-definitions';

const core = new Set(['files']);
const tool = (name: string, schema: object = {}) => ({
  name,
  description: name,
  schema: { type: 'object', properties: {}, ...schema },
  policy: readToolPolicy(),
});
const offer = (provider: string, ...tools: unknown[]) => acceptDefinitions({ v: 1, provider, tools }, core);

it('keeps the good definitions beside broken ones and says where each broken one stood', () => {
  const { accepted, refused } = offer(
    'acme',
    tool('one'),
    7,
    { name: 'no schema' },
    tool('two'),
    tool('one'),
  );
  expect(accepted.map(({ definition }) => definition.name)).toEqual(['one', 'two']);
  expect(refused.map(({ position }) => position)).toEqual([1, 2, 4]);
});

it.each([
  ['a pattern', { properties: { path: { type: 'string', pattern: '^(a+)+$' } } }],
  ['a pattern deep inside', { properties: { list: { items: { anyOf: [{ pattern: '(' }] } } } }],
  ['a reference', { properties: { node: { $ref: '#/$defs/nothing' } } }],
  ['patterns for names', { patternProperties: { '(': {} } }],
])('refuses a foreign schema with %s, which whoever checks arguments would pay for', (_what, schema) => {
  expect(offer('acme', tool('risky', schema)).accepted).toEqual([]);
  expect(offer('files', tool('ours', schema)).accepted).toHaveLength(1);
});

it('takes a property that bears the name of a keyword for what it is', () => {
  const schema = { properties: { pattern: { type: 'string' }, format: { type: 'string' } } };
  expect(offer('acme', tool('search', schema)).accepted).toHaveLength(1);
});

it('never throws and never quotes, whatever a provider sends', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { maxLength: 20 }), (tools) => {
      const { accepted, refused } = offer('acme', ...tools);
      expect(accepted.length + refused.length).toBe(tools.length);
    }),
  );
  const [refusal] = offer('acme', { name: 'CANARY text', description: 'CANARY', schema: {} }).refused;
  expect(refusal?.reason).not.toContain('CANARY');
});

it('lets a core provider win a collision whoever answered first, and reports it', () => {
  const offers = new Map([
    ['acme', offer('acme', tool('files_list'), tool('acme_send')).accepted],
    ['files', offer('files', tool('files_list')).accepted],
  ]);
  const { tools, collisions } = mergeOffers(offers, core);
  expect([...tools].map(([name, { provider }]) => `${provider}:${name}`).sort()).toEqual([
    'acme:acme_send',
    'files:files_list',
  ]);
  expect(collisions).toEqual([{ name: 'files_list', kept: 'files', skipped: 'acme' }]);
});
