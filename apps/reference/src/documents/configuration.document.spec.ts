import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Environment } from '@nuqloud/contracts';
import { READERS } from './configuration.document';

const STACK_PROVISION = path.resolve(__dirname, '../../../launcher/provision/stack.yaml');

it('every variable has a meaning', () => {
  const without = Object.entries(Environment.shape).filter(([, { description }]) => !description);
  expect(without).toEqual([]);
});

it('every variable that is a secret by its name is marked as one', () => {
  const unmarked = Object.entries(Environment.shape)
    .filter(([name]) => /_(SECRET|KEY|TOKEN|PASSWORD)$/.test(name))
    .filter(([, schema]) => schema.meta()?.['secret'] !== true);
  expect(unmarked.map(([name]) => name)).toEqual([]);
});

it('somebody reads every variable', () => {
  const provision = readFileSync(STACK_PROVISION, 'utf8');
  const read = new Set(Object.values(READERS).flatMap((config) => Object.keys(config.shape)));
  const unread = Object.keys(Environment.shape).filter(
    (name) => !read.has(name) && !provision.includes(`\${${name}}`),
  );
  expect(unread).toEqual([]);
});
