import path from 'node:path';
import specification from '@asyncapi/specs/schemas/3.0.0.json';
import { Validator } from '@cfworker/json-schema';
import type { Schema } from '@cfworker/json-schema';
import { PARTIES } from '../schemas/bus-messages';
import { parse } from 'yaml';
import { asyncApiDocument } from './asyncapi.document';
import { readSources } from './reference-sources';

const LIBS = path.resolve(__dirname, '../../../../libs');
const FOLDERS = ['contracts/src', 'messaging/src'].map((folder) => path.join(LIBS, folder));

type Fields = Record<string, unknown>;

const document = parse(asyncApiDocument(readSources(FOLDERS))) as Fields;

const errorsOf = (of: unknown) => new Validator(specification as unknown as Schema, '7').validate(of).errors;

it('fits the AsyncAPI 3.0 specification', () => {
  expect(errorsOf(document)).toEqual([]);
});

it('is really held against that specification', () => {
  const operations = document['operations'] as Record<string, Fields>;
  const [name = '', operation] = Object.entries(operations)[0] ?? [];
  const wrong = { ...document, operations: { [name]: { ...operation, action: 'shout' } } };
  expect(errorsOf(wrong)).not.toEqual([]);
});

it('refers to nothing that it does not hold', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    ([, to]) => to ?? '',
  );
  const missing = references.filter((reference) => {
    const found = reference
      .split('/')
      .reduce<unknown>((at, key) => (at as Fields | undefined)?.[key], document);
    return found === undefined;
  });
  expect(references.length).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});

it('has one operation for everything that a service may do', () => {
  const allowed = Object.values(PARTIES).flatMap(({ sends, receives, consumes }) => [
    ...sends,
    ...receives,
    ...consumes,
  ]);
  expect(Object.keys(document['operations'] as Fields)).toHaveLength(allowed.length);
});
