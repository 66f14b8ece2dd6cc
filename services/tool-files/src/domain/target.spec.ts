import { isRevision } from './target';

it.each([
  ['"abc"', '"abc"', true],
  ['abc', '"abc"', true],
  [' W/"abc" ', '"abc"', true],
  ['"abd"', '"abc"', false],
  ['', '"abc"', false],
  ['abc', null, false],
])('compares the revision %j with the ETag %j: %s', (given, etag, same) => {
  expect(isRevision(given, etag)).toBe(same);
});
