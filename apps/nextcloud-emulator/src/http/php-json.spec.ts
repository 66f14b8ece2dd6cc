import fc from 'fast-check';
import { phpJson } from './php-json';

describe('phpJson', () => {
  it('escapes slashes and everything outside ASCII as PHP does', () => {
    expect(phpJson({ id: 'users/alice', name: 'Zoë ☕ 👍', list: [], n: 1 })).toBe(
      '{"id":"users\\/alice","name":"Zo\\u00eb \\u2615 \\ud83d\\udc4d","list":[],"n":1}',
    );
  });

  it('keeps short escapes and the DEL sign as PHP does', () => {
    expect(phpJson('a\n\t"\\\u007f')).toBe('"a\\n\\t\\"\\\\\u007f"');
  });

  it('says the same as the value and is pure ASCII, whatever the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const written = phpJson(value);
        expect(written).toMatch(/^[\u0000-\u007f]*$/);
        expect(written).not.toMatch(/(^|[^\\])(\\\\)*\//);
        expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
