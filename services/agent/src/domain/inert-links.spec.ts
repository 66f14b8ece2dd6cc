import fc from 'fast-check';
import { inertLinks } from './inert-links';

/** As CommonMark reads them. */
const FENCE = /^```[^`\n]*(?:\n(?:(?!```[ \t]*$).*(?:\n|$(?![\s\S])))*(?:```[ \t]*$)?|$(?![\s\S]))/gm;
const CODE_SPAN = /(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g;

const OWN = new Set(['cloud.example', 'localhost:8090']);

it.each([
  [
    'a link',
    'see [the plan](https://evil.example/?q=secret)',
    'see the plan `https://evil.example/?q=secret`',
  ],
  ['a bare address', 'see https://evil.example/a.', 'see `https://evil.example/a.`'],
  ['an address in angle brackets', 'see <https://evil.example/a>', 'see `https://evil.example/a`'],
  ['an address without a scheme', 'see www.evil.example/a', 'see `www.evil.example/a`'],
  ['a mail address link', '[mail](mailto:eve@evil.example?body=x)', 'mail `mailto:eve@evil.example?body=x`'],
  ['a script', '[x](javascript:alert(1))', 'x `javascript:alert(1`)'],
  ['a link with a title', '[x](https://evil.example "title")', 'x `https://evil.example`'],
  [
    'a host that only begins like ours',
    '[x](https://cloud.example.evil.example/)',
    'x `https://cloud.example.evil.example/`',
  ],
  [
    'our host as a user name',
    '[x](https://cloud.example@evil.example/)',
    'x `https://cloud.example@evil.example/`',
  ],
  ['another port of ours', '[x](https://cloud.example:8443/)', 'x `https://cloud.example:8443/`'],
  ['a target without a host', '[x](//evil.example/a)', 'x `//evil.example/a`'],
  ['an image', 'a ![chart](https://evil.example/?q=secret) b', 'a chart b'],
  ['an image of our own', '![chart](https://cloud.example/x.png)', 'chart'],
  ['an image by reference', '![chart][1]\n\n[1]: https://evil.example/x', 'chart\n\n'],
  [
    'an image inside a link',
    '[![x](https://evil.example/a)](https://evil.example/b)',
    'x `https://evil.example/a`](`https://evil.example/b)`',
  ],
  ['an HTML image', '<img src="https://evil.example/a">', '`<img src="https://evil.example/a">`'],
])('makes %s inert', (_what, text, inert) => {
  expect(inertLinks(text, OWN)).toBe(inert);
});

it.each([
  'plain text, 3 < 4, a [note] in brackets',
  'see https://cloud.example/f/12 and [the file](http://localhost:8090/f/7)',
  '`https://evil.example` stands in code already',
  '```\n![x](https://evil.example)\n```',
])('leaves as it is: %j', (text) => {
  expect(inertLinks(text, OWN)).toBe(text);
});

it('leaves no foreign address outside of code, whatever the text', () => {
  const piece = fc.constantFrom(
    'https://evil.example/a',
    'http://evil.example',
    'www.evil.example',
    '![',
    '[',
    ']',
    '](',
    '(',
    ')',
    '`',
    '```',
    '\n',
    ' ',
    '<',
    '>',
    'x',
    '[1]: ',
    '<img src=',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const inert = inertLinks(pieces.join(''), OWN);
      const outside = inert.replace(FENCE, '').replace(CODE_SPAN, '');
      expect(outside).not.toMatch(/evil\.example/);
    }),
    { numRuns: 3_000 },
  );
});
