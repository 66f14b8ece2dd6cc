import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import * as fc from 'fast-check';
import { parseBaseUrl } from './base-url';
import { GatewayRefusal } from './gateway-refusal';
import { readDestination } from './read-destination';

const ROOT = parseBaseUrl('https://cloud.example');
const FOLDER = parseBaseUrl('https://cloud.example/nextcloud');
const FILES = '/remote.php/dav/files/{uid}/*/**';
const TRASH = '/remote.php/dav/trashbin/{uid}/restore/*';
const VERSION = '/remote.php/dav/versions/{uid}/restore/target';
const { INVALID_PATH, NOT_ALLOWED } = GATEWAY_REFUSALS;

/** The path it leads to, or the refusal's code. */
const outcome = (header: string | undefined, template = FILES, base = FOLDER): string => {
  try {
    return readDestination(header, template, base, 'alice');
  } catch (error) {
    if (error instanceof GatewayRefusal) return error.code;
    throw error;
  }
};

describe('readDestination', () => {
  it('takes a path below the base URL', () => {
    const path = '/remote.php/dav/files/alice/Docs/a%20b.txt';
    expect(outcome(path, FILES, ROOT)).toBe(path);
    expect(outcome(path, FILES, FOLDER)).toBe(path);
  });

  it('takes an absolute URL of this Nextcloud, with its sub-folder', () => {
    const path = '/remote.php/dav/files/alice/a.txt';
    expect(outcome(`https://cloud.example${path}`, FILES, ROOT)).toBe(path);
    expect(outcome(`https://cloud.example/nextcloud${path}`, FILES, FOLDER)).toBe(path);
  });

  it.each([
    'https://cloud.example/remote.php/dav/files/alice/a.txt',
    'https://cloud.example/nextcloud2/remote.php/dav/files/alice/a.txt',
    'https://evil.example/nextcloud/remote.php/dav/files/alice/a.txt',
    'https://cloud.example.evil.example/nextcloud/remote.php/dav/files/alice/a.txt',
    'https://cloud.example@evil.example/nextcloud/remote.php/dav/files/alice/a.txt',
    'https://cloud.example:8443/nextcloud/remote.php/dav/files/alice/a.txt',
    'http://cloud.example/nextcloud/remote.php/dav/files/alice/a.txt',
    'HTTPS://cloud.example/nextcloud/remote.php/dav/files/alice/a.txt',
    'remote.php/dav/files/alice/a.txt',
    'javascript:1',
    '/nextcloud/remote.php/dav/files/alice/a.txt',
    '/remote.php/dav/files/bob/a.txt',
    '/remote.php/dav/files/Alice/a.txt',
    '/remote.php/dav/files/alice',
    '/remote.php/dav/files/alice/',
    '/remote.php/dav/trashbin/alice/restore/a.txt',
    '/remote.php/webdav/a.txt',
  ])('does not allow %s', (header) => {
    expect(outcome(header)).toBe(NOT_ALLOWED);
  });

  it.each([
    undefined,
    '',
    '//evil.example/remote.php/dav/files/alice/a.txt',
    'https://cloud.example/nextcloud//remote.php/dav/files/alice/a.txt',
    '/remote.php/dav/files/alice/../bob/a.txt',
    '/remote.php/dav/files/alice/%2e%2e/bob/a.txt',
    '/remote.php/dav/files/alice/a%2Fb.txt',
    '/remote.php/dav/files/alice/a.txt?x=1',
    '/remote.php/dav/files/alice/a.txt#x',
    '/remote.php/dav/files/alice/a b.txt',
    '/remote.php/dav/files/alice/ä.txt',
    '/remote.php/dav/files/alice/a.txt, /remote.php/dav/files/alice/b.txt',
    '/remote.php/dav/files/alice/a%0d%0aOverwrite:%20T',
    `/remote.php/dav/files/alice/${'a'.repeat(16_000)}`,
  ])('finds %j unreadable', (header) => {
    expect(outcome(header)).toBe(INVALID_PATH);
  });

  it('restores from the trash and versions to nowhere but their own places', () => {
    expect(outcome('/remote.php/dav/trashbin/alice/restore/a.txt', TRASH)).toContain('/restore/');
    expect(outcome('/remote.php/dav/trashbin/alice/restore/', TRASH)).toBe(NOT_ALLOWED);
    expect(outcome('/remote.php/dav/trashbin/bob/restore/a.txt', TRASH)).toBe(NOT_ALLOWED);
    expect(outcome('/remote.php/dav/files/alice/a.txt', TRASH)).toBe(NOT_ALLOWED);
    expect(outcome('/remote.php/dav/versions/alice/restore/target', VERSION)).toContain('/restore/');
    expect(outcome('/remote.php/dav/versions/alice/restore/other', VERSION)).toBe(NOT_ALLOWED);
    expect(outcome('/remote.php/dav/versions/bob/restore/target', VERSION)).toBe(NOT_ALLOWED);
    expect(outcome('/remote.php/dav/files/alice/target', VERSION)).toBe(NOT_ALLOWED);
  });

  it('never leads out of the own files, whatever it says', () => {
    const part = fc.oneof(
      fc.constantFrom('..', '.', '%2e%2e', '%2f', '%5c', '', 'bob', 'alice', '%', '\\', '?', '#', ':', '@'),
      fc.string({ maxLength: 5 }),
    );
    const start = fc.constantFrom(
      ...['', 'https://cloud.example', 'https://cloud.example/nextcloud', 'https:/', '//evil.example'],
    );
    fc.assert(
      fc.property(start, fc.array(part, { maxLength: 5 }), (from, parts) => {
        const header = `${from}/remote.php/dav/files/alice/${parts.join('/')}`;
        const result = outcome(header);
        if (result === NOT_ALLOWED || result === INVALID_PATH) return;
        const { origin, pathname } = new URL(`https://cloud.example/nextcloud${result}`);
        expect(origin).toBe('https://cloud.example');
        expect(pathname.startsWith('/nextcloud/remote.php/dav/files/alice/')).toBe(true);
        expect(pathname).toBe(`/nextcloud${result}`);
      }),
      { numRuns: 2_000 },
    );
  });
});
