import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { canonicalJson, NotCanonical } from './canonical-json';

/** The examples of RFC 8785, sections 3.2.2 to 3.2.4. */
it('writes what RFC 8785 shows', () => {
  expect(
    canonicalJson({
      numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\u0022/",
      literals: [null, true, false],
    }),
  ).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
  expect(
    canonicalJson({
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    }),
  ).toBe(
    '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
  );
});

it('writes minus zero as zero', () => {
  expect(canonicalJson(-0)).toBe('0');
});

const json = fc.jsonValue({ stringUnit: 'binary' });

it('is JSON for the same value', () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

it('does not depend on the order of keys', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), json), (members) => {
      const turned = Object.fromEntries(Object.entries(members).reverse());
      expect(canonicalJson(turned)).toBe(canonicalJson(members));
    }),
  );
});

it('tells different values apart', () => {
  fc.assert(
    fc.property(json, json, (a, b) => {
      const same = isDeepStrictEqual(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)));
      expect(canonicalJson(a) === canonicalJson(b)).toBe(same);
    }),
  );
});

it.each([
  ['half an emoji', '\ud83d'],
  ['half an emoji as a key', { '\ude00': 1 }],
  ['infinity', [Infinity]],
  ['not a number', { n: NaN }],
  ['undefined in a list', [undefined]],
  ['a function', { f: () => 1 }],
  ['a big integer', 1n],
])('refuses %s', (_what, value) => {
  expect(() => canonicalJson(value)).toThrow(NotCanonical);
});
