import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { JsonSchema } from '../schemas/json-schema';
import { SchemaDescriber } from './describe-schema';
import { SourceConstants } from './source-constants';

const IDS = `
/** Names somebody. */
export const Id = z.string();
`;

const PERSON = `
import { Id } from './ids';

/** Free text. */
const Name = z.string();

const base = {
  /** Spread. */
  v: z.literal(1),
};

/** Over
 * two lines. @returns nothing */
export const Person = z.strictObject({
  ...base,
  id: Id,
  /** What others call them. */
  name: Name,
  other: Name.optional(),
  /** Says it itself, too. */
  own: z.string(),
  // Not for readers.
  plain: z.string(),
  list: z.array(z.object({ /** In a list. */ n: z.number() })).max(3).optional(),
  nothing: z.object({ /** Or null. */ n: z.number() }).nullable(),
  map: z.record(z.string(), z.object({ /** In a map. */ n: z.number() })),
});

export const Employee = Person.extend({
  /** Extended. */
  office: z.string(),
}).refine(Boolean);

export const Either = z.discriminatedUnion('kind', [
  /** The first. */
  z.object({ ...base, kind: z.literal('a') }),
  z.object({ kind: z.literal('b'), /** Shorthand. */ base }),
]);

export const CODES = {
  /** Gone. */
  GONE: 'GONE',
} as const;
`;

const text: JsonSchema = { type: 'string' };
const number = { properties: { n: { type: 'number' } } };

let folder: string;
let constants: SourceConstants;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'nuqloud-sources-'));
  writeFileSync(path.join(folder, 'ids.ts'), IDS);
  writeFileSync(path.join(folder, 'person.ts'), PERSON);
  constants = new SourceConstants([folder]);
});
afterAll(() => rmSync(folder, { recursive: true }));

const described = (name: string, schema: JsonSchema): JsonSchema => {
  const written = constants.find(name);
  if (!written) throw new Error(`No constant ${name}.`);
  // Unlike structuredClone this makes two of what is used twice.
  const copy = JSON.parse(JSON.stringify(schema)) as JsonSchema;
  new SchemaDescriber(constants).describe(copy, written);
  return copy;
};

const meanings = (name: string, fields: Record<string, JsonSchema>) =>
  Object.entries(described(name, { properties: fields }).properties ?? {}).map(([field, { description }]) => [
    field,
    description,
  ]);

it('takes the comment of a schema, on one line', () => {
  expect(described('Person', text).description).toBe('Over two lines. Nothing');
});

it('takes the comments of fields: own, spread, and of the constant that a field uses', () => {
  expect(meanings('Person', { v: text, name: text, other: text, plain: text })).toEqual([
    ['v', 'Spread.'],
    ['name', 'What others call them.'],
    ['other', undefined],
    ['plain', undefined],
  ]);
  expect(
    meanings('Person', { id: { $ref: '#/components/schemas/Id' }, own: { description: 'Own.' } }),
  ).toEqual([
    ['id', undefined],
    ['own', 'Own.'],
  ]);
});

it('finds the fields of lists, maps and of what may be null', () => {
  const { properties } = described('Person', {
    properties: {
      list: { items: number },
      nothing: { anyOf: [number, { type: 'null' }] },
      map: { additionalProperties: number },
    },
  });
  expect(JSON.stringify(properties)).toMatch(/In a list\..*Or null\..*In a map\./);
});

it('finds what an extended schema inherits, through whatever is called on it', () => {
  expect(meanings('Employee', { name: text, office: text })).toEqual([
    ['name', 'What others call them.'],
    ['office', 'Extended.'],
  ]);
});

it('takes the comments of alternatives and of their fields', () => {
  const { oneOf } = described('Either', {
    oneOf: [{ properties: { v: text, kind: text } }, { properties: { kind: text, base: text } }],
  });
  expect(oneOf?.map(({ description }) => description)).toEqual(['The first.', undefined]);
  expect(oneOf?.[0]?.properties?.['v']?.description).toBe('Spread.');
  expect(oneOf?.[1]?.properties?.['base']?.description).toBe('Shorthand.');
});

it('takes the comments of a list of codes', () => {
  expect(constants.field('CODES', 'GONE')?.comment).toBe('Gone.');
});
