import fc from 'fast-check';
import { placeOfJsonMistake } from './json-mistake';

describe('placeOfJsonMistake', () => {
  it.each([
    ['{\n  "a": [,]\n}', 2, 9],
    ['{"a": 1,}', 1, 9],
    ['{"a" 1}', 1, 6],
    ['{\n"a": tru\n}', 2, 6],
    ['[1, 2', 1, 6],
    ['', 1, 1],
    ['{} x', 1, 4],
    ["{'a': 1}", 1, 2],
    ['["a\nb"]', 1, 2],
    ['[01]', 1, 3],
  ])('finds the one in %j', (source, line, column) => {
    expect(placeOfJsonMistake(source)).toEqual({ line, column });
  });

  it('is at the end of every valid text, whatever it says', () => {
    fc.assert(
      fc.property(fc.json(), (source) => {
        expect(placeOfJsonMistake(source)).toEqual({ line: 1, column: source.length + 1 });
      }),
    );
  });
});
