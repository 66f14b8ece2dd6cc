import fc from 'fast-check';
import { pathOfHref } from './file-href';
import { parseFilePath, ROOT } from './file-path';

/** As the server writes hrefs: lower-case hex, everything escaped except `A-Za-z0-9_-.~():@/`. */
const sabreEncode = (path: string): string =>
  path
    .split('/')
    .map((segment) =>
      [...Buffer.from(segment, 'utf8')]
        .map((byte) => {
          const sign = String.fromCharCode(byte);
          return /[A-Za-z0-9_\-.~():@]/.test(sign) ? sign : `%${byte.toString(16).padStart(2, '0')}`;
        })
        .join(''),
    )
    .join('/');

describe('the path of an href', () => {
  it('is found behind the sub-folder of the server and in lower-case hex', () => {
    expect(pathOfHref('/nextcloud/remote.php/dav/files/alice/%c3%9cbung/a%2bb.txt', 'alice')).toBe(
      '/Übung/a+b.txt',
    );
    expect(pathOfHref('/remote.php/dav/files/alice/', 'alice')).toBe('/');
    expect(pathOfHref('/remote.php/dav/files/alice/Docs/', 'alice')).toBe('/Docs');
    expect(pathOfHref('https://cloud.example/remote.php/dav/files/alice/x', 'alice')).toBe('/x');
  });

  it('is the name in NFC, decoded once', () => {
    expect(pathOfHref('/remote.php/dav/files/alice/Ka%cc%88se', 'alice')).toBe('/K\u00e4se');
    expect(pathOfHref('/remote.php/dav/files/alice/a%2520b', 'alice')).toBe('/a%20b');
  });

  it('knows user ids with signs in them', () => {
    expect(pathOfHref('/remote.php/dav/files/bob%20b@cloud.example/x', 'bob b@cloud.example')).toBe('/x');
  });

  it.each([
    ['another person', '/remote.php/dav/files/bob/x'],
    ['the same id in another spelling', '/remote.php/dav/files/Alice/x'],
    ['another tree', '/remote.php/dav/trashbin/alice/x'],
    ['a way up', '/remote.php/dav/files/alice/../bob/x'],
    ['an encoded way up', '/remote.php/dav/files/alice/%2e%2e/bob/x'],
    ['a slash inside a name', '/remote.php/dav/files/alice/a%2fb'],
    ['an empty part', '/remote.php/dav/files/alice//x'],
    ['nothing', ''],
  ])('does not exist for %s', (_what, href) => {
    expect(pathOfHref(href, 'alice')).toBeUndefined();
  });

  it('shows a name that is not UTF-8 instead of failing', () => {
    expect(pathOfHref('/remote.php/dav/files/alice/%e4.txt', 'alice')).toBe('/\ufffd.txt');
  });

  it('is the path that the server encoded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom('', '/nextcloud'), (tail, webroot) => {
        const parsed = parseFilePath(`/${tail}`);
        if (!parsed.ok || parsed.path === ROOT) return;
        const href = `${webroot}/remote.php/dav/files/alice${sabreEncode(parsed.path)}`;
        expect(pathOfHref(href, 'alice')).toBe(parsed.path);
      }),
    );
  });
});
