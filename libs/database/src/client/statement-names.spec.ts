import { statementNames } from './statement-names';

it('gives the same statement the same name, and another one another', () => {
  const nameOf = statementNames();
  const first = nameOf({ sql: 'SELECT 1' });
  expect(first).not.toBe('');
  expect(nameOf({ sql: 'SELECT 2' })).not.toBe(first);
  expect(nameOf({ sql: 'SELECT 1' })).toBe(first);
});

it('names no more than a connection can keep', () => {
  const nameOf = statementNames();
  const names = Array.from({ length: 2_000 }, (_unused, i) => nameOf({ sql: `SELECT ${i}` }));
  expect(new Set(names.filter((name) => name !== '')).size).toBe(500);
  expect(nameOf({ sql: 'SELECT 0' })).toBe(names[0]);
  expect(nameOf({ sql: 'SELECT 1999' })).toBe('');
});
