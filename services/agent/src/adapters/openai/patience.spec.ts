import { ModelFailure } from '../../ports/model';
import { isOutage, pauseBefore } from './patience';

const failure = (code: 'BUSY' | 'UNAVAILABLE' | 'TIMEOUT', retryable = true, retryAfterMs?: number) =>
  new ModelFailure(`MODEL.${code}`, 'words', { retryable, retryAfterMs });

it('asks an endpoint that failed once more, and no third time', () => {
  expect(pauseBefore(failure('UNAVAILABLE'), 1, 10_000)).toBeGreaterThan(0);
  expect(pauseBefore(failure('UNAVAILABLE'), 2, 10_000)).toBeUndefined();
});

it('waits as long as the endpoint wants, while there is patience for it', () => {
  expect(pauseBefore(failure('BUSY', true, 7_000), 1, 10_000)).toBe(7_000);
  expect(pauseBefore(failure('UNAVAILABLE', true, 7_000), 1, 10_000)).toBe(7_000);
  expect(pauseBefore(failure('BUSY', true, 7_000), 1, 7_000)).toBeUndefined();
});

it('waits longer each time for one that is busy without saying for how long, and gives up in the end', () => {
  const pauses = [1, 2, 3, 4].map((tries) => pauseBefore(failure('BUSY'), tries, 100_000) ?? 0);
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
  expect(pauseBefore(failure('BUSY'), 5, 100_000)).toBeUndefined();
});

it('does not ask again where that cannot help', () => {
  expect(pauseBefore(failure('BUSY', false), 1, 100_000)).toBeUndefined();
  expect(pauseBefore(failure('TIMEOUT', false), 1, 100_000)).toBeUndefined();
});

it('takes an endpoint for away that gives no answer, and not one that refuses ours', () => {
  expect(isOutage('MODEL.BUSY') && isOutage('MODEL.TIMEOUT') && isOutage('MODEL.GARBAGE')).toBe(true);
  expect(isOutage('MODEL.REFUSED') || isOutage('MODEL.TOO_LONG') || isOutage('MODEL.FILTERED')).toBe(false);
});
