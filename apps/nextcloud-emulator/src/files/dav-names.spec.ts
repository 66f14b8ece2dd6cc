import fc from 'fast-check';
import { encodeHref } from './dav-names';

describe('encodeHref', () => {
  it.each([
    ['/files/alice/a b.txt', '/files/alice/a%20b.txt'],
    ['/it\'s "q".txt', '/it%27s%20%22q%22.txt'],
    ['/a+b#c?d&e;f=g', '/a%2bb%23c%3fd%26e%3bf%3dg'],
    ['/Übung (1):2@3~4_5-6.txt', '/%c3%9cbung%20(1):2@3~4_5-6.txt'],
    ['/a*b!c', '/a%2ab%21c'],
    ['/100%', '/100%25'],
  ])('writes %s as %s', (path, href) => {
    expect(encodeHref(path)).toBe(href);
  });

  it('uses only the characters of the real server and decodes to the path, whatever the path', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (path) => {
        const href = encodeHref(path);
        expect(href).toMatch(/^(?:[A-Za-z0-9_\-.~():@/]|%[0-9a-f]{2})*$/);
        expect(decodeURIComponent(href)).toBe(path);
      }),
    );
  });
});
