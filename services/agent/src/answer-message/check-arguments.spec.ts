import { readToolPolicy } from '@nuqloud/contracts';
import { checkArguments } from './check-arguments';

const check = (schema: object, args: Record<string, unknown>) =>
  checkArguments(
    {
      provider: 'files',
      definition: { name: 'x', description: 'x', schema: { type: 'object', properties: {}, ...schema } },
      policy: readToolPolicy(),
      confirmAlways: false,
      scope: undefined,
    },
    args,
  );

const schema = {
  properties: { path: { type: 'string' }, limit: { type: 'integer', maximum: 200 } },
  required: ['path'],
  additionalProperties: false,
};

it('accepts what fits', () => {
  expect(check(schema, { path: '/', limit: 20 })).toBeUndefined();
  expect(check({}, {})).toBeUndefined();
});

it.each([
  ['a missing argument', {}, 'path'],
  ['a wrong type', { path: 7 }, 'path'],
  ['too much', { path: '/', limit: 500 }, 'limit'],
  ['an argument nobody asked for', { path: '/', other: 1 }, 'other'],
])('names %s', (_what, args, name) => {
  expect(check(schema, args)).toContain(name);
});

it('says that a tool with a broken schema cannot be called, instead of failing', () => {
  expect(check({ properties: { path: { type: 'string', pattern: '(' } } }, { path: '/' })).toContain(
    'broken',
  );
  expect(check({ properties: { path: { $ref: '#/$defs/nothing' } } }, { path: '/' })).toContain('broken');
});
