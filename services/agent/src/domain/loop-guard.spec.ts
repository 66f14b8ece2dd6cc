import type { RequestedCall } from '@nuqloud/contracts';
import fc from 'fast-check';
import { goesInCircles } from './loop-guard';

const batch = (...names: string[]): RequestedCall[] =>
  names.map((name) => ({ id: name, name, argumentsText: '{}' }));
const times = (count: number, ...circle: RequestedCall[][]): RequestedCall[][] =>
  Array.from({ length: count }, () => circle).flat();
const thresholdOf = (name: string): number | undefined => ({ read: 8, write: 4 })[name];

it.each([
  ['the same read', [batch('read')], 8],
  ['the same write', [batch('write')], 4],
  ['a tool that there is not', [batch('unknown')], 4],
  ['a read and a write in turn', [batch('read'), batch('write')], 4],
  ['three in turn', [batch('read'), batch('write'), batch('read', 'write')], 4],
])('notices %s at its threshold and not before', (_what, circle, threshold) => {
  expect(goesInCircles(times(threshold - 1, ...circle), thresholdOf)).toBe(false);
  expect(goesInCircles(times(threshold, ...circle), thresholdOf)).toBe(true);
  expect(goesInCircles([batch('read', 'read'), ...times(threshold, ...circle)], thresholdOf)).toBe(true);
});

it('takes no progress for a circle', () => {
  const pages = Array.from({ length: 19 }, (_unused, page) => [
    { id: 'c', name: 'read', argumentsText: `{"page":${page}}` },
  ]);
  expect(goesInCircles(pages, thresholdOf)).toBe(false);
});

it('ends whatever is repeated for ever, and never throws', () => {
  const anyBatch = fc.array(fc.constantFrom('read', 'write', 'unknown'), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(anyBatch, { minLength: 1, maxLength: 3 }), (circle) => {
      const batches = times(20, ...circle.map((names) => batch(...names)));
      expect(goesInCircles(batches, thresholdOf)).toBe(true);
    }),
  );
});
