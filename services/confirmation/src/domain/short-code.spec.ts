import fc from 'fast-check';
import { AFFIRMATIVES, NEGATIVES } from './answer-words';
import { pickCode } from './short-code';

const seeded = (numbers: readonly number[]) => {
  let at = 0;
  return (below: number) => (numbers[at++ % numbers.length] ?? 0) % below;
};

const anyRandom = fc.array(fc.nat(), { minLength: 3, maxLength: 200 }).map(seeded);

it('is a digit between two letters that look like nothing else', () => {
  fc.assert(
    fc.property(anyRandom, (random) => {
      expect(pickCode(random, () => false)).toMatch(/^[ACDEFHJKMNPRTUVWXY][3479][ACDEFHJKMNPRTUVWXY]$/);
    }),
  );
});

it('is never one that is taken, as long as there is another', () => {
  fc.assert(
    fc.property(anyRandom, fc.nat({ max: 1_290 }), (random, many) => {
      const taken = new Set<string>();
      for (let n = 0; n < many; n += 1)
        taken.add(
          pickCode(
            (below) => n % below,
            (code) => taken.has(code),
          ) ?? '',
        );
      const code = pickCode(random, (candidate) => taken.has(candidate));
      expect(code).toBeDefined();
      expect(taken).not.toContain(code);
    }),
    { numRuns: 10 },
  );
});

it('is nothing when all are taken', () => {
  expect(pickCode(seeded([1, 2, 3]), () => true)).toBeUndefined();
});

it('is no word of any answer', () => {
  const words = [...Object.values(AFFIRMATIVES), ...Object.values(NEGATIVES)].flat();
  expect(words.filter((word) => /\d/.test(word))).toEqual([]);
});
