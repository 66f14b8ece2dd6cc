import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import * as fc from 'fast-check';
import { FAMILIES } from './families';
import { GatewayRefusal } from './gateway-refusal';
import { matchRequest } from './match-request';
import { pathSegments } from './path-segments';

const FILES = FAMILIES.files.requests;

/** The allowed entry's path, or the refusal's code. */
const outcome = (
  method: string,
  path: string,
  uid = 'alice',
  query?: string,
  tool = 'files_list',
): string => {
  try {
    return matchRequest(FILES, { method, path, query, tool }, uid).path;
  } catch (error) {
    if (error instanceof GatewayRefusal) return error.code;
    throw error;
  }
};

const SHARES = '/ocs/v2.php/apps/files_sharing/api/v1/shares';
const ALL_TOOLS = [
  ...['files_list', 'files_info', 'files_search', 'files_read', 'files_trash', 'files_versions'],
  ...['files_write', 'files_append', 'files_mkdir', 'files_copy', 'files_move', 'files_delete'],
  ...['files_restore', 'files_restore_version', 'shares_list', 'shares_create', 'shares_delete'],
];
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

  it.each(['PROPPATCH', 'POST', 'PATCH', 'REPORT', 'LOCK', 'UNLOCK', 'propfind', 'put', ''])(
    'refuse the method %j to every tool',
    (method) => {
      for (const tool of ALL_TOOLS) {
        const path = '/remote.php/dav/files/alice/a.txt';
        expect(outcome(method, path, 'alice', undefined, tool)).toBe(NOT_ALLOWED);
      }
    },
  );

  it.each<[method: string, path: string, tools: string[]]>([
    ['PUT', '/remote.php/dav/files/alice/Docs/a.txt', ['files_write', 'files_append']],
    ['MKCOL', '/remote.php/dav/files/alice/Docs/New/', ['files_mkdir']],
    ['DELETE', '/remote.php/dav/files/alice/Docs', ['files_delete']],
    ['MOVE', '/remote.php/dav/files/alice/Docs/a.txt', ['files_move']],
    ['COPY', '/remote.php/dav/files/alice/Docs/a.txt', ['files_copy']],
    ['MOVE', '/remote.php/dav/trashbin/alice/trash/a.txt.d1700000000', ['files_restore']],
    ['MOVE', '/remote.php/dav/trashbin/alice/trash/Docs.d1700000000/', ['files_restore']],
    ['MOVE', '/remote.php/dav/versions/alice/versions/71/1700000000', ['files_restore_version']],
    // Final, or of things that have no end of their own: no tool does any of it.
    ['DELETE', '/remote.php/dav/trashbin/alice/trash/a.txt.d1700000000', []],
    ['DELETE', '/remote.php/dav/trashbin/alice/trash', []],
    ['DELETE', '/remote.php/dav/trashbin/alice/trash/', []],
    ['MOVE', '/remote.php/dav/trashbin/alice/trash', []],
    ['MOVE', '/remote.php/dav/trashbin/alice/trash/', []],
    ['PUT', '/remote.php/dav/trashbin/alice/trash/a.txt.d1700000000', []],
    ['DELETE', '/remote.php/dav/versions/alice/versions/71/1700000000', []],
    ['PUT', '/remote.php/dav/versions/alice/versions/71/1700000000', []],
    ['MOVE', '/remote.php/dav/versions/alice/versions/71', []],
    ...['PUT', 'MKCOL', 'DELETE', 'MOVE', 'COPY'].flatMap((method): [string, string, string[]][] => [
      [method, '/remote.php/dav/files/alice', []],
      [method, '/remote.php/dav/files/alice/', []],
      [method, '/remote.php/dav/files/bob/a.txt', []],
      [method, '/remote.php/dav/files/', []],
      [method, '/remote.php/dav/trashbin/bob/trash/a.txt.d1700000000', []],
      [method, '/ocs/v2.php/apps/files_sharing/api/v1/shares', []],
    ]),
  ])('allow %s %s to nobody but %j', (method, path, tools) => {
    const allowed = ALL_TOOLS.filter(
      (tool) => outcome(method, path, 'alice', undefined, tool) !== NOT_ALLOWED,
    );
    expect(allowed).toEqual(tools);
  });

  it('tell a tool that may not make a request which one may', () => {
    const wanted = { method: 'DELETE', path: '/remote.php/dav/files/alice/a', query: undefined };
    expect(() => matchRequest(FILES, { ...wanted, tool: 'files_info' }, 'alice')).toThrow(
      'files_info may not DELETE at /remote.php/dav/files/{uid}/*/**; that is for files_delete.',
    );
  });

  it('allow to look into the trash and at versions', () => {
    expect(outcome('PROPFIND', '/remote.php/dav/trashbin/alice/trash')).not.toBe(NOT_ALLOWED);
    expect(outcome('PROPFIND', '/remote.php/dav/trashbin/alice/trash/Docs.d17/')).not.toBe(NOT_ALLOWED);
    expect(outcome('PROPFIND', '/remote.php/dav/versions/alice/versions/71')).not.toBe(NOT_ALLOWED);
    expect(outcome('PROPFIND', '/remote.php/dav/versions/alice/versions/')).toBe(NOT_ALLOWED);
    expect(outcome('GET', '/remote.php/dav/versions/alice/versions/71/17')).not.toBe(NOT_ALLOWED);
    expect(outcome('GET', '/remote.php/dav/versions/alice/versions/71/')).toBe(NOT_ALLOWED);
    expect(outcome('GET', '/remote.php/dav/versions/bob/versions/71/17')).toBe(NOT_ALLOWED);
    expect(outcome('PROPFIND', '/remote.php/dav/trashbin/bob/trash')).toBe(NOT_ALLOWED);
    expect(outcome('PROPFIND', '/remote.php/dav/trashbin/alice/restore')).toBe(NOT_ALLOWED);
  });

  it.each<[query: string | undefined, expected: string]>([
    [undefined, SHARES],
    ['format=json', SHARES],
    ['format=json&path=%2FDocs%2Fa%20b.txt&reshares=true', SHARES],
    ['path=/Docs/a+b.txt&subfiles=false', SHARES],
    ['shared_with_me=true&format=json', SHARES],
    ['format=xml', NOT_ALLOWED],
    ['format=json&format=json', NOT_ALLOWED],
    ['path=/a&path=/b', NOT_ALLOWED],
    ['path=/a&', NOT_ALLOWED],
    ['path', NOT_ALLOWED],
    ['Path=/a', NOT_ALLOWED],
    ['p%61th=/a', NOT_ALLOWED],
    ['path[]=/a', NOT_ALLOWED],
    ['__proto__=json', NOT_ALLOWED],
    ['constructor=json', NOT_ALLOWED],
    ['shareType=3&path=/a', NOT_ALLOWED],
    ['reshares=1', NOT_ALLOWED],
    ['path=Docs', INVALID_PATH],
    ['path=', INVALID_PATH],
    ['path=%2F..%2Fbob', INVALID_PATH],
    ['path=/Docs/%252e%252e/x', INVALID_PATH],
    ['path=/Docs//x', INVALID_PATH],
    ['path=/a%00', INVALID_PATH],
  ])('answer the query %j of a list of shares with %s', (query, expected) => {
    expect(outcome('GET', SHARES, 'alice', query)).toBe(expected);
  });

  it.each(['POST', 'PUT', 'DELETE'])('allow no %s of a share', (method) => {
    for (const tool of ALL_TOOLS) {
      expect(outcome(method, `${SHARES}/7`, 'alice', undefined, tool)).toBe(NOT_ALLOWED);
    }
  });

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
