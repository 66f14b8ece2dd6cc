import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import * as fc from 'fast-check';
import { GatewayRefusal } from './gateway-refusal';
import { checkSearchScope } from './search-scope';

const { INVALID_REQUEST, NOT_ALLOWED, INVALID_PATH } = GATEWAY_REFUSALS;

const search = (scopes: string, before = '<?xml version="1.0" encoding="UTF-8"?>'): string =>
  `${before}<d:searchrequest xmlns:d="DAV:"><d:basicsearch><d:select><d:prop><d:displayname/></d:prop></d:select>` +
  `<d:from>${scopes}</d:from><d:where><d:like><d:prop><d:displayname/></d:prop><d:literal>%a%</d:literal></d:like>` +
  `</d:where></d:basicsearch></d:searchrequest>`;

const scope = (href: string): string =>
  `<d:scope><d:href>${href}</d:href><d:depth>infinity</d:depth></d:scope>`;

const outcome = (body: string | Buffer, uid = 'alice'): string => {
  try {
    checkSearchScope(typeof body === 'string' ? Buffer.from(body, 'utf8') : body, uid);
    return 'allowed';
  } catch (error) {
    if (error instanceof GatewayRefusal) return error.code;
    throw error;
  }
};

describe('checkSearchScope', () => {
  it.each([
    '/files/alice',
    '/files/alice/',
    '/files/alice/Docs',
    '/files/alice/My%20Docs/',
    '/files/alice/Ä b',
  ])('allows the scope %s', (href) => expect(outcome(search(scope(href)))).toBe('allowed'));

  it('takes the uid after one decoding, exactly', () => {
    expect(outcome(search(scope('/files/alice%20smith')), 'alice smith')).toBe('allowed');
    expect(outcome(search(scope('/files/alice smith')), 'alice smith')).toBe('allowed');
    expect(outcome(search(scope('/files/Alice')))).toBe(NOT_ALLOWED);
    expect(outcome(search(scope('/files/alice2')))).toBe(NOT_ALLOWED);
    expect(outcome(search(scope('/files/%2561lice')))).toBe(NOT_ALLOWED);
  });

  it.each([
    '/files/bob',
    '/files',
    '/files/',
    '/',
    '',
    'files/alice',
    ' /files/alice',
    '/calendars/alice',
    '/remote.php/dav/files/alice',
    'https://other.example/files/alice',
    '//files/alice',
    '/files/alice?x',
    '/files/alice#x',
    '/files/alice&#10;',
  ])('refuses the scope %j', (href) => {
    expect([NOT_ALLOWED, INVALID_PATH]).toContain(outcome(search(scope(href))));
  });

  it.each([
    '/files/alice/../bob',
    '/files/alice/%2e%2e/bob',
    '/files/alice/%252e%252e/bob',
    '/files/alice/a%2fb',
  ])('refuses the ambiguous scope %s', (href) => expect(outcome(search(scope(href)))).toBe(INVALID_PATH));

  it('refuses an empty segment', () => {
    expect(outcome(search(scope('/files/alice//Docs')))).toBe(INVALID_REQUEST);
  });

  it('reads entities, CDATA and comments as an XML parser does', () => {
    expect(outcome(search(scope('/files/&#98;ob')))).toBe(NOT_ALLOWED);
    expect(outcome(search(scope('/files/<![CDATA[bob]]>')))).toBe(NOT_ALLOWED);
    expect(outcome(search(scope('/files/al<!-- x -->ice')))).toBe('allowed');
    expect(outcome(search(scope('/files/<!-- alice -->bob')))).toBe(NOT_ALLOWED);
  });

  it('refuses a second scope wherever it stands', () => {
    const two = search(scope('/files/alice') + scope('/files/bob'));
    expect(outcome(two)).toBe(INVALID_REQUEST);
    const elsewhere = search(scope('/files/alice')).replace(
      '<d:where>',
      '<e:href xmlns:e="urn:DAV">/files/bob</e:href><d:where>',
    );
    expect(outcome(elsewhere)).toBe(INVALID_REQUEST);
    expect(outcome(search(scope('/files/alice<d:href>/files/bob</d:href>')))).toBe(INVALID_REQUEST);
  });

  it.each([
    ['nothing', ''],
    ['no XML', 'files/alice'],
    ['no scope', search('')],
    ['an open element', search(scope('/files/alice')).slice(0, -3)],
    ['an unknown entity', search(scope('/files/&who;'))],
    ['a document type', search(scope('/files/alice'), '<!DOCTYPE x [<!ENTITY who "bob">]>')],
    ['another encoding', search(scope('/files/alice'), '<?xml version="1.0" encoding="UTF-7"?>')],
    ['XML 1.1', search(scope('/files/alice'), '<?xml version="1.1"?>')],
    ['an undeclared prefix', '<d:searchrequest><d:href>/files/alice</d:href></d:searchrequest>'],
    ['two roots', `${search(scope('/files/alice'))}<x/>`],
  ])('refuses %s', (_what, body) => {
    expect(outcome(body)).toBe(INVALID_REQUEST);
  });

  it('refuses what is not UTF-8', () => {
    expect(outcome(Buffer.from(search(scope('/files/alice'), ''), 'utf16le'))).toBe(INVALID_REQUEST);
    expect(outcome(Buffer.from(search(scope('/files/\xe4lice'), ''), 'latin1'))).toBe(INVALID_REQUEST);
  });

  it('refuses deep nesting', () => {
    expect(outcome('<a>'.repeat(100) + '</a>'.repeat(100))).toBe(INVALID_REQUEST);
  });

  it('never allows a scope whose readings are not all the own files', () => {
    const part = fc.oneof(
      fc.constantFrom('alice', 'bob', '..', '.', '%2e%2e', '%2f', '%61lice', '%252e%252e', '', '%'),
      fc.string({ unit: 'grapheme', maxLength: 5 }).filter((text) => !/[<&]/.test(text)),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
        const href = `/files/${parts.join('/')}`;
        if (outcome(search(scope(href))) !== 'allowed') return;
        expect(decodeURIComponent(href.split('/')[2] ?? '')).toBe('alice');
        for (const reading of [
          href,
          decodeURIComponent(href),
          decodeURIComponent(decodeURIComponent(href)),
        ]) {
          expect(reading).toMatch(/^\/files\/(alice|%61lice)(\/|$)/);
          expect(reading.split(/[/\\]/)).not.toContain('..');
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
