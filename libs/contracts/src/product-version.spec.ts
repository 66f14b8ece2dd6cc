import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PRODUCT_VERSION } from './product-version';

it('is the version in package.json', () => {
  const file = readFileSync(path.resolve(__dirname, '../../../package.json'), 'utf8');
  expect(PRODUCT_VERSION).toBe((JSON.parse(file) as { version: string }).version);
});
