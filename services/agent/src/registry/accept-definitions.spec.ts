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

it.each([
  ['anyOf at its top', { anyOf: [{}] }, 'one plain object, without anyOf'],
  ['enum at its top', { enum: [1] }, 'one plain object, without anyOf'],
  ['another type', { type: 'array' }, 'its type must be "object"'],
  ['properties that are a list', { properties: ['path'] }, 'an object, {} for none'],
  ['no list of what is required', { required: 'path' }, 'a list of names'],
])('says of a schema with %s what is wrong', (_what, schema, words) => {
  const { refused } = offer('acme', tool('wrong', schema));
  expect(refused).toEqual([expect.objectContaining({ reason: expect.stringContaining(words) })]);
});

it('writes an empty map as an object, and names properties where there are none', () => {
  const php = { properties: { filter: { type: 'object', properties: [] }, tags: { default: [] } } };
  const { accepted } = offer('acme', tool('nested', php), tool('flat', { properties: [] }), {
    name: 'bare',
    description: 'x',
    schema: { type: 'object' },
  });
  expect(accepted.map(({ definition }) => definition.schema.properties)).toEqual([
    { filter: { type: 'object', properties: {} }, tags: { default: [] } },
    {},
    {},
  ]);
});

it('refuses a definition that is nested beyond reason, and keeps the one beside it', () => {
  const abyss = JSON.parse(`${'{"items":'.repeat(50_000)}{}${'}'.repeat(50_000)}`) as object;
  const { accepted, refused } = offer('acme', tool('deep', { properties: { abyss } }), tool('flat'));
  expect(accepted.map(({ definition }) => definition.name)).toEqual(['flat']);
  expect(refused).toEqual([expect.objectContaining({ reason: 'it is nested too deeply' })]);
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
