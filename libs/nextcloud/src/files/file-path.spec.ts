import fc from 'fast-check';
import { ancestorsOf, encodePath, isWithin, parseFilePath, ROOT } from './file-path';
import type { FilePath } from './file-path';

const reasonFor = (input: string): string => {
  const parsed = parseFilePath(input);
  return parsed.ok ? 'accepted' : parsed.reason;
};

const pathOf = (input: string): FilePath => {
  const parsed = parseFilePath(input);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.path;
};

describe('a file path', () => {
  it.each([
    '/a b.txt',
    '/a#b.txt',
    '/100%.txt',
    '/a%20b.txt',
    '/a+b.txt',
    '/😀 smile.txt',
    '/it\'s "q".txt',
    '/a&b<c>.txt',
    '/what?.txt',
    '/مرحبا/שלום.txt',
    '/.hidden',
    '/dot.',
    '/...',
    '/ leading and trailing ',
  ])('keeps %j as it is', (input) => {
    expect(parseFilePath(input)).toEqual({ ok: true, path: input });
  });

  it('brings decomposed letters into their composed form', () => {
    expect(pathOf('/Ka\u0308se')).toBe('/K\u00e4se');
  });

  it('takes a slash at the end of a folder away', () => {
    expect(pathOf('/Docs/')).toBe('/Docs');
    expect(pathOf('/')).toBe(ROOT);
  });

  it.each([
    ['', 'must start with "/"'],
    ['Docs/plan.md', 'must start with "/"'],
    ['http://elsewhere/x', 'must start with "/"'],
    ['/a//b', 'empty part'],
    ['//', 'empty part'],
    ['/../etc', '"." or ".."'],
    ['/a/..', '"." or ".."'],
    ['/./a', '"." or ".."'],
    ['/%2e%2E/a', '"." or ".."'],
    ['/%252e%252e/a', '"." or ".."'],
    ['/.%2e/a', '"." or ".."'],
    ['/a%2Fb', 'encoded slash'],
    ['/a%252fb', 'encoded slash'],
    ['/a%5cb', 'encoded slash'],
    ['/a%0Ab', 'encoded slash'],
    ['/a\\b', 'backslash'],
    ['/a\u0000b', 'control characters'],
    ['/a\nb', 'control characters'],
    ['/a\u0085b', 'control characters'],
    ['/a\u2028b', 'control characters'],
    ['/a\ud800', 'valid Unicode'],
    [`/${'x'.repeat(4_000)}`, 'longer'],
  ])('refuses %j and says why', (input, reason) => {
    expect(reasonFor(input)).toContain(reason);
  });

  it('has one form: what was accepted is accepted again unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (tail) => {
        const parsed = parseFilePath(`/${tail}`);
        if (parsed.ok) expect(parseFilePath(parsed.path)).toEqual(parsed);
      }),
    );
  });

  it('never lets a part through that leads elsewhere', () => {
    const piece = fc.constantFrom('.', '..', '/', '%2e', '%2E', '%25', '\\', '\u0000', 'a', 'ä', '', ' ');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const parsed = parseFilePath(`/${pieces.join('')}`);
        if (!parsed.ok) return;
        const parts = parsed.path.slice(1).split('/');
        for (const part of parsed.path === ROOT ? [] : parts) {
          expect(['', '.', '..']).not.toContain(part);
          expect(['', '.', '..']).not.toContain(decodeLeniently(part));
          expect(part).not.toMatch(/[\p{Cc}\\]/u);
        }
      }),
    );
  });

  it('is encoded so that decoding once gives it back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (tail) => {
        const parsed = parseFilePath(`/${tail}`);
        if (!parsed.ok || parsed.path === ROOT) return;
        const url = new URL(`http://gateway/files${encodePath(parsed.path)}`);
        expect(url.search + url.hash).toBe('');
        expect(url.pathname.split('/').map(decodeURIComponent).join('/')).toBe(`/files${parsed.path}`);
      }),
    );
  });

  it('knows the folders above it, innermost first', () => {
    expect(ancestorsOf(pathOf('/a/b/c'))).toEqual(['/a/b', '/a']);
    expect(ancestorsOf(pathOf('/a'))).toEqual([]);
    expect(ancestorsOf(ROOT)).toEqual([]);
  });

  it('lies within a folder only by whole parts and exact spelling', () => {
    const projects = pathOf('/Projects');
    expect(isWithin('/Projects', projects)).toBe(true);
    expect(isWithin('/Projects/x', projects)).toBe(true);
    expect(isWithin('/Projects2/x', projects)).toBe(false);
    expect(isWithin('/projects/x', projects)).toBe(false);
    expect(isWithin('/anything', ROOT)).toBe(true);
  });
});

const decodeLeniently = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a lone % is an ordinary character of a name
  }
};
