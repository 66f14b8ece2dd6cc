import { readRetryAfter } from './retry-after';

const now = Date.UTC(2026, 2, 2, 9, 15, 0);

it.each([
  ['120', 120_000],
  [' 0 ', 0],
  ['Mon, 02 Mar 2026 09:16:00 GMT', 60_000],
  ['Mon, 02 Mar 2026 09:14:00 GMT', 0],
  ['soon', undefined],
  ['-5', undefined],
  ['1e9', undefined],
  ['2026-03-02', undefined],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
])('reads a Retry-After of %j as %j ms', (header, expected) => {
  expect(readRetryAfter(header, now)).toBe(expected);
});
