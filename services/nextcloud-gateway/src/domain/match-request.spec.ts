import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import * as fc from 'fast-check';
import { FAMILIES } from './families';
import { GatewayRefusal } from './gateway-refusal';
import { matchRequest } from './match-request';
import { pathSegments } from './path-segments';

const FILES = FAMILIES.files.requests;

/** The allowed entry's path, or the refusal's code. */
const outcome = (method: string, path: string, uid = 'alice', query?: string): string => {
  try {
    return matchRequest(FILES, { method, path, query }, uid).path;
  } catch (error) {
    if (error instanceof GatewayRefusal) return error.code;
    throw error;
  }
};

const OWN_FILES = '/remote.php/dav/files/{uid}/**';
const { NOT_ALLOWED, INVALID_PATH } = GATEWAY_REFUSALS;

describe('the requests of the family files', () => {
  it.each(['PROPFIND', 'GET', 'HEAD'])('allow %s in the own files', (method) => {
    expect(outcome(method, '/remote.php/dav/files/alice/Docs/a%20b.txt')).toBe(OWN_FILES);
    expect(outcome(method, '/remote.php/dav/files/alice/Docs/')).toBe(OWN_FILES);
    expect(outcome(method, '/remote.php/dav/files/alice/')).toBe(OWN_FILES);
    expect(outcome(method, '/remote.php/dav/files/alice')).toBe(OWN_FILES);
  });

  it('allow a search at the root of DAV only', () => {
    expect(outcome('SEARCH', '/remote.php/dav/')).toBe('/remote.php/dav/');
    expect(outcome('SEARCH', '/remote.php/dav/files/alice/')).toBe(NOT_ALLOWED);
    expect(outcome('GET', '/remote.php/dav/')).toBe(NOT_ALLOWED);
  });

  it('allow to ask for capabilities and oneself, in JSON', () => {
    expect(outcome('GET', '/ocs/v2.php/cloud/user')).toBe('/ocs/v2.php/cloud/user');
    expect(outcome('GET', '/ocs/v2.php/cloud/user', 'alice', 'format=json')).toBe('/ocs/v2.php/cloud/user');
    expect(outcome('GET', '/ocs/v2.php/cloud/capabilities', 'alice', 'format=json')).toBe(
      '/ocs/v2.php/cloud/capabilities',
    );
    expect(outcome('GET', '/ocs/v2.php/cloud/user', 'alice', 'format=json&x=1')).toBe(NOT_ALLOWED);
    expect(outcome('GET', '/ocs/v2.php/cloud/users/bob')).toBe(NOT_ALLOWED);
  });

  it.each(['PUT', 'DELETE', 'MOVE', 'COPY', 'MKCOL', 'PROPPATCH', 'POST', 'REPORT', 'LOCK', 'propfind', ''])(
    'refuse the method %j',
    (method) => expect(outcome(method, '/remote.php/dav/files/alice/a.txt')).toBe(NOT_ALLOWED),
  );

  it('take the uid exactly, after one decoding', () => {
    const path = (name: string) => `/remote.php/dav/files/${name}/a.txt`;
    expect(outcome('GET', path('alice%20smith'), 'alice smith')).toBe(OWN_FILES);
    expect(outcome('GET', path('%61lice'))).toBe(OWN_FILES);
    expect(outcome('GET', path('bob@example.org'), 'bob@example.org')).toBe(OWN_FILES);
    expect(outcome('GET', path('bob%40example.org'), 'bob@example.org')).toBe(OWN_FILES);
    expect(outcome('GET', path('bob'))).toBe(NOT_ALLOWED);
    expect(outcome('GET', path('Alice'))).toBe(NOT_ALLOWED);
    expect(outcome('GET', path('alice%20'))).toBe(NOT_ALLOWED);
    expect(outcome('GET', path('%2561lice'))).toBe(NOT_ALLOWED);
    expect(outcome('GET', path('%2561lice'), '%61lice')).toBe(OWN_FILES);
  });

  it.each([
    '/remote.php/dav/files/alice/../bob/a.txt',
    '/remote.php/dav/files/alice/%2e%2e/bob/a.txt',
    '/remote.php/dav/files/alice/%2E./bob',
    '/remote.php/dav/files/alice/%252e%252e/bob',
    '/remote.php/dav/files/alice/%25252e%25252e/bob',
    '/remote.php/dav/files/alice/./a.txt',
    '/remote.php/dav/files/alice/..%2fbob',
    '/remote.php/dav/files/alice/a%2Fb',
    '/remote.php/dav/files/alice/a%252fb',
    '/remote.php/dav/files/alice/a%5Cb',
    '/remote.php/dav/files/alice/a\\b',
    '/remote.php/dav/files/alice/a%255cb',
    '/remote.php/dav/files/alice//a.txt',
    '//remote.php/dav/files/alice/a.txt',
    '/remote.php//dav/files/alice/a.txt',
    '/remote.php/dav/files//alice/a.txt',
    '/remote.php/dav/files/alice/a%00.txt',
    '/remote.php/dav/files/alice/a%0d%0aX: y',
    '/remote.php/dav/files/alice/a b.txt',
    '/remote.php/dav/files/alice/ä.txt',
    '/remote.php/dav/files/alice/%zz',
    '/remote.php/dav/files/alice/%',
    '/remote.php/dav/files/alice/%c0%af',
    '/remote.php/dav/files/alice/%ff',
    'remote.php/dav/files/alice/a.txt',
    '',
  ])('refuse the ambiguous path %j', (path) => {
    expect(outcome('GET', path)).toBe(INVALID_PATH);
  });

  it.each([
    '/index.php/apps/files/',
    '/remote.php/dav/',
    '/remote.php/dav/files/',
    '/remote.php/dav/calendars/alice/personal/',
    '/remote.php/dav/trashbin/alice/trash/',
    '/remote.php/webdav/a.txt',
    '/%72emote.php/dav/files/alice/a.txt',
    '/remote.php/dav/Files/alice/a.txt',
    '/ocs/v1.php/cloud/user',
    '/ocs/v2.php/cloud/user/',
    '/',
  ])('refuse GET %s', (path) => {
    expect(outcome('GET', path)).toBe(NOT_ALLOWED);
  });

  it('take no query at a file', () => {
    const path = '/remote.php/dav/files/alice/a.txt';
    expect(outcome('GET', path, 'alice', 'accept=zip')).toBe(NOT_ALLOWED);
    expect(outcome('GET', path, 'alice', '')).toBe(NOT_ALLOWED);
  });
});

/** Every name that a file can have in Nextcloud, and more. */
const fileName = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  .filter((name) => !/[/\\\u0000-\u001f\u007f]/.test(name) && name !== '.' && name !== '..');
const uid = fileName.filter((name) => !name.includes(':'));
const owner = fc.constantFrom('alice', '%61lice', '%2561lice', 'Alice', 'bob', '', '..');
const decoy = fc.constantFrom(
  '..',
  '.',
  '%2e%2e',
  '%2f',
  '%5c',
  '%252f',
  '%00',
  '',
  'bob',
  'alice',
  '%',
  '\\',
  '//',
);

describe('matchRequest, for any input', () => {
  it('allows every properly encoded path in the own files', () => {
    fc.assert(
      fc.property(uid, fc.array(fileName, { maxLength: 6 }), (person, names) => {
        const path = `/remote.php/dav/files/${[person, ...names].map(encodeURIComponent).join('/')}`;
        // What still holds an escape that hides a way out after decoding is refused on purpose.
        fc.pre(![person, ...names].some((name) => /%(2f|5c|2e|25|0.|1.|7f)/i.test(name)));
        expect(outcome('PROPFIND', path, person)).toBe(OWN_FILES);
        expect(pathSegments(path).map(({ decoded }) => decoded)).toEqual([
          ...['remote.php', 'dav', 'files'],
          ...[person, ...names],
        ]);
      }),
    );
  });

  it('never allows what any number of decodings and dot segments could lead out of the own files', () => {
    fc.assert(
      fc.property(
        owner,
        fc.array(fc.oneof(decoy, fileName.map(encodeURIComponent)), { maxLength: 5 }),
        (who, rest) => {
          const path = `/remote.php/dav/files/${[who, ...rest].join('/')}`;
          if (outcome('GET', path) !== OWN_FILES) return;
          for (const reading of readings(path)) {
            const resolved = new URL(reading.replaceAll('\\', '/'), 'http://nextcloud.test').pathname;
            expect(resolved.startsWith('/remote.php/dav/files/')).toBe(true);
            expect(resolved.split('/').length).toBe(path.split('/').length);
          }
          expect(decodeURIComponent(path.split('/')[4] ?? '')).toBe('alice');
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('answers any text with an entry or a refusal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (method, path) => {
        expect([NOT_ALLOWED, INVALID_PATH]).toContain(outcome(method, path));
      }),
    );
  });
});

/** The path as servers that decode it several times would read it. */
const readings = (path: string): string[] => {
  const found = [path];
  for (let times = 0; times < 3; times += 1) {
    const last = found.at(-1) ?? '';
    found.push(last.replace(/%([0-9a-f]{2})/gi, (_m, hex: string) => String.fromCharCode(parseInt(hex, 16))));
  }
  // What is decoded is a name: its own ? and # do not end a path.
  return found.map((reading) => reading.replaceAll('?', '%3F').replaceAll('#', '%23'));
};
