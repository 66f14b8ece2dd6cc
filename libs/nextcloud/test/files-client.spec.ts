import { FILES_ERRORS, FilesError, GATEWAY_ERRORS, parseFilePath, ROOT } from '../src/index';
import type { FileContent, FilePath } from '../src/index';
import { clientOf, FakeGateway } from './fake-gateway';
import type { Reply } from './fake-gateway';
import { recorded } from './recorded';

let gateway: FakeGateway;
beforeEach(async () => (gateway = await new FakeGateway().start()));
afterEach(() => gateway.stop());

const at = (text: string): FilePath => {
  const parsed = parseFilePath(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.path;
};

const multistatus = (...responses: string[]): Reply => ({
  status: 207,
  headers: { 'content-type': 'application/xml; charset=utf-8' },
  body: `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns">${responses.join('')}</d:multistatus>`,
});

const resource = (href: string, props = '', folder = href.endsWith('/')): string =>
  `<d:response><d:href>/nextcloud/remote.php/dav/files/alice${href}</d:href><d:propstat><d:prop><d:resourcetype>${folder ? '<d:collection/>' : ''}</d:resourcetype>${props}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`;

const textOf = async (content: FileContent): Promise<string> => {
  const parts: Uint8Array[] = [];
  for await (const part of content.chunks) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
};

const files = async () => (await clientOf(gateway)).files;

describe('stat', () => {
  it('reads what a real server says about a folder', async () => {
    gateway.answer = () => recorded('stat-root');
    expect(await (await files()).stat(ROOT)).toEqual({
      path: '/',
      name: '',
      kind: 'folder',
      fileId: '62',
      size: 11_284_525,
      mimetype: null,
      modifiedAt: new Date('2026-11-30T17:26:15Z'),
      etag: '"6b0db1b7a5172"',
      rights: { read: true, write: false, create: true, delete: true, move: true, share: true },
      mount: 'local',
      isMountRoot: false,
      isEncryptedFolder: false,
      owner: { id: 'alice', name: 'Alice Example' },
      sharedWith: [],
      lock: null,
    });
    expect(gateway.asked[0]).toMatchObject({
      method: 'PROPFIND',
      path: '/remote.php/dav/files/alice/',
      headers: { depth: '0' },
    });
  });

  it('reads what a real server says about a file', async () => {
    gateway.answer = () => recorded('stat-file');
    expect(await (await files()).stat(at('/dir1'))).toMatchObject({
      kind: 'file',
      size: 6,
      mimetype: 'application/octet-stream',
      etag: '"ba1f31d3cb6d724537d0425b34ff4bf6"',
      rights: { read: true, write: true, create: false },
    });
  });

  it('reads shares, mounts, encryption and locks', async () => {
    gateway.answer = () =>
      multistatus(
        resource(
          '/x/',
          '<nc:is-encrypted>1</nc:is-encrypted><nc:mount-type>group</nc:mount-type><nc:is-mount-root>true</nc:is-mount-root>' +
            '<oc:permissions>SRMG</oc:permissions><oc:share-types><oc:share-type>0</oc:share-type><oc:share-type>3</oc:share-type></oc:share-types>' +
            '<nc:lock>1</nc:lock><nc:lock-owner-type>1</nc:lock-owner-type><nc:lock-owner-editor>text</nc:lock-owner-editor>',
        ),
      );
    expect(await (await files()).stat(at('/x'))).toMatchObject({
      isEncryptedFolder: true,
      mount: 'group',
      isMountRoot: true,
      sharedWith: ['user', 'link'],
      rights: { read: true, create: false, delete: false, share: true },
      lock: { by: 'app', holder: 'text' },
    });
  });

  it('does not take the flag of server-side encryption on a file for end-to-end encryption', async () => {
    gateway.answer = () => multistatus(resource('/x', '<nc:is-encrypted>1</nc:is-encrypted>'));
    expect((await (await files()).stat(at('/x'))).isEncryptedFolder).toBe(false);
  });

  it('refuses an answer about another file', async () => {
    gateway.answer = () => multistatus(resource('/other'));
    await expect((await files()).stat(at('/x'))).rejects.toMatchObject({
      code: FILES_ERRORS.UNEXPECTED_ANSWER,
    });
  });

  it.each([
    ['/a b.txt', '/a%20b.txt'],
    ['/a#b.txt', '/a%23b.txt'],
    ['/100%.txt', '/100%25.txt'],
    ['/a%20b.txt', '/a%2520b.txt'],
    ['/a+b.txt', '/a%2Bb.txt'],
    ['/😀.txt', '/%F0%9F%98%80.txt'],
    ['/what?.txt', '/what%3F.txt'],
    ['/Ka\u0308se', '/K%C3%A4se'],
  ])('asks for %s under %s', async (path, encoded) => {
    gateway.answer = () => recorded('stat-missing');
    await expect((await files()).stat(at(path))).rejects.toMatchObject({ code: FILES_ERRORS.NOT_FOUND });
    expect(gateway.asked[0]?.path).toBe(`/remote.php/dav/files/alice${encoded}`);
  });
});

describe('errors', () => {
  it.each([
    ['stat-missing', FILES_ERRORS.NOT_FOUND, 'There is no file or folder /x'],
    ['stat-wrong-password', FILES_ERRORS.NOT_SIGNED_IN, 'an administrator'],
    ['stat-user-disabled', FILES_ERRORS.UNAVAILABLE, 'disabled'],
  ])('of a real server: %s is %s', async (name, code, message) => {
    gateway.answer = () => recorded(name);
    await expect((await files()).stat(at('/x'))).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });

  const sabre = (exception: string, message = '') =>
    `<d:error xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns"><s:exception>${exception}</s:exception><s:message>${message}</s:message></d:error>`;

  it.each([
    [
      400,
      sabre('OCA\\DAV\\Connector\\Sabre\\Exception\\InvalidPath'),
      {},
      FILES_ERRORS.INVALID_NAME,
      'name of /x',
    ],
    [403, sabre('Forbidden'), {}, FILES_ERRORS.FORBIDDEN, 'not allowed'],
    [
      403,
      sabre('Forbidden', 'not allowed to access end-to-end encrypted content'),
      {},
      FILES_ERRORS.FORBIDDEN,
      'end-to-end',
    ],
    [429, '', { 'retry-after': '30' }, FILES_ERRORS.BUSY, 'in 30 seconds'],
    [
      503,
      sabre('ServiceUnavailable', 'System in maintenance mode.'),
      {},
      FILES_ERRORS.UNAVAILABLE,
      'maintenance',
    ],
    [503, sabre('ServiceUnavailable'), {}, FILES_ERRORS.UNAVAILABLE, 'storage of /x'],
    [507, '', {}, FILES_ERRORS.NO_SPACE, 'space'],
    [500, 'Internal Server Error: secret path /var/www', {}, FILES_ERRORS.UNEXPECTED_ANSWER, 'status 500'],
    [302, '', { location: 'http://login' }, FILES_ERRORS.UNEXPECTED_ANSWER, 'status 302'],
    [200, '<html>Log in</html>', {}, FILES_ERRORS.UNEXPECTED_ANSWER, 'status 200'],
  ])(
    'status %d becomes a sentence without the server’s own words',
    async (status, body, headers, code, message) => {
      gateway.answer = () => ({ status, body, headers });
      const failure = await (await files()).stat(at('/x')).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(FilesError);
      expect(failure).toMatchObject({ code, message: expect.stringContaining(message) });
      expect((failure as FilesError).message).not.toMatch(/Exception|secret|html/i);
    },
  );
});

describe('list', () => {
  it('reads the names of a real server decoded and in its order', async () => {
    gateway.answer = () => recorded('list-names');
    const page = await (await files()).list(at('/names'), { limit: 200 });
    expect(page.entries.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'a b.txt',
        'a#b.txt',
        '100%.txt',
        'a%20b.txt',
        'a+b.txt',
        '😀 smile.txt',
        'it\'s "q".txt',
        'a&b<c>.txt',
        'Übung é.txt',
        'what?.txt',
        'a;b=c.txt',
        '[x](y).txt',
        'trail .txt ',
        '日本語.txt',
      ]),
    );
    expect(page).toMatchObject({ total: 20, offset: 0, changed: false });
    expect(page.cursorAfter(page.entries.length)).toBeNull();
  });

  const children = (count: number) => Array.from({ length: count }, (_, index) => resource(`/f/${index}`));
  const folder = (etag = 'v1') => resource('/f/', `<d:getetag>&quot;${etag}&quot;</d:getetag>`);

  it('keeps only the page where the server sends everything', async () => {
    gateway.answer = () => multistatus(folder(), ...children(7));
    const client = await files();
    const first = await client.list(at('/f'), { limit: 3 });
    expect(first).toMatchObject({ total: 7, offset: 0 });
    expect(first.entries.map(({ name }) => name)).toEqual(['0', '1', '2']);
    const second = await client.list(at('/f'), { limit: 3, cursor: first.cursorAfter(2) ?? '' });
    expect(second).toMatchObject({ total: 7, offset: 2, changed: false });
    expect(second.entries.map(({ name }) => name)).toEqual(['2', '3', '4']);
    const last = await client.list(at('/f'), { limit: 3, cursor: second.cursorAfter(3) ?? '' });
    expect(last.entries.map(({ name }) => name)).toEqual(['5', '6']);
    expect(last.cursorAfter(2)).toBeNull();
  });

  it('says when the folder changed between two pages', async () => {
    gateway.answer = () => multistatus(folder('v1'), ...children(4));
    const client = await files();
    const first = await client.list(at('/f'), { limit: 2 });
    gateway.answer = () => multistatus(folder('v2'), ...children(5));
    const second = await client.list(at('/f'), { limit: 2, cursor: first.cursorAfter(2) ?? '' });
    expect(second).toMatchObject({ changed: true, total: 5 });
  });

  it('lets a server page that can', async () => {
    const paging = { 'x-nc-paginate': 'true', 'x-nc-paginate-token': 'Tok+/=7', 'x-nc-paginate-total': '8' };
    gateway.answer = ({ headers }) =>
      headers['x-nc-paginate-token'] === undefined
        ? { ...multistatus(folder(), ...children(3)), headers: paging }
        : { ...multistatus(...children(6).slice(3)), headers: { 'x-nc-paginate': 'true' } };
    const client = await files();
    const first = await client.list(at('/f'), { limit: 3 });
    expect(gateway.asked[0]?.headers).toMatchObject({ 'x-nc-paginate': 'true', 'x-nc-paginate-count': '4' });
    expect(first).toMatchObject({ total: 7, folder: { path: '/f' } });
    const second = await client.list(at('/f'), { limit: 3, cursor: first.cursorAfter(3) ?? '' });
    expect(gateway.asked[1]?.headers).toMatchObject({
      'x-nc-paginate-token': 'Tok+/=7',
      'x-nc-paginate-offset': '4',
      'x-nc-paginate-count': '3',
    });
    expect(second).toMatchObject({ total: 7, offset: 3, changed: false, folder: null });
    expect(second.entries.map(({ name }) => name)).toEqual(['3', '4', '5']);
    expect(second.cursorAfter(3)).not.toBeNull();
  });

  it('notices that the server has forgotten the listing and listed anew', async () => {
    const paging = (token: string, total: string) => ({
      'x-nc-paginate': 'true',
      'x-nc-paginate-token': token,
      'x-nc-paginate-total': total,
    });
    gateway.answer = () => ({ ...multistatus(folder(), ...children(2)), headers: paging('one', '8') });
    const client = await files();
    const first = await client.list(at('/f'), { limit: 2 });
    gateway.answer = () => ({ ...multistatus(...children(4).slice(2)), headers: paging('two', '9') });
    const second = await client.list(at('/f'), { limit: 2, cursor: first.cursorAfter(2) ?? '' });
    expect(second).toMatchObject({ total: 8, offset: 2, changed: true });
  });

  it('shows a file where a file was listed', async () => {
    gateway.answer = () => recorded('stat-file');
    const page = await (await files()).list(at('/dir1'), { limit: 10 });
    expect(page.folder?.kind).toBe('file');
    expect(page).toMatchObject({ entries: [], total: 0 });
  });

  it.each([
    ['a resource of another person', '<d:response><d:href>/remote.php/dav/files/bob/x</d:href></d:response>'],
    ['a resource elsewhere', resource('/g/x')],
    ['a resource deeper down', resource('/f/x/y')],
    ['a way up', resource('/f/%2e%2e')],
  ])('refuses a listing with %s', async (_what, intruder) => {
    gateway.answer = () => multistatus(folder(), intruder);
    await expect((await files()).list(at('/f'), { limit: 5 })).rejects.toMatchObject({
      code: FILES_ERRORS.UNEXPECTED_ANSWER,
    });
  });

  it('refuses a cursor that it did not make before asking anybody', async () => {
    await expect((await files()).list(at('/f'), { limit: 5, cursor: 'page 2' })).rejects.toMatchObject({
      code: FILES_ERRORS.INVALID_CURSOR,
    });
    expect(gateway.seen).toEqual([]);
  });
});

describe('read', () => {
  it('streams a file of a real server', async () => {
    gateway.answer = () => recorded('get');
    const content = await (await files()).read(at('/get.txt'), { ifMatch: '"5da"' });
    expect(content).toMatchObject({ size: 12, etag: '"5da327f2dc3ffac6ec6a1009daf99604"' });
    expect(await textOf(content)).toBe('hello world\n');
    expect(gateway.asked[0]?.headers).toMatchObject({ 'if-match': '"5da"', 'accept-encoding': 'identity' });
  });

  it('asks for a range and knows the whole size', async () => {
    gateway.answer = () => recorded('get-range');
    const content = await (await files()).read(at('/get.txt'), { range: { start: 0, length: 5 } });
    expect(gateway.asked[0]?.headers.range).toBe('bytes=0-4');
    expect(content.size).toBe(12);
    expect(await textOf(content)).toBe('hello');
  });

  it('cuts the range out where the server ignores it, and stops the transfer there', async () => {
    let sent = 0;
    async function* endless(): AsyncGenerator<string> {
      for (;;) {
        sent += 1;
        yield await Promise.resolve('0123456789'.repeat(1_000));
      }
    }
    gateway.answer = () => ({ status: 200, body: endless() });
    const content = await (await files()).read(at('/big'), { range: { start: 10_008, length: 4 } });
    expect(await textOf(content)).toBe('8901');
    expect(sent).toBeLessThan(2_000);
  });

  it.each([
    ['get-range-beyond-end', FILES_ERRORS.OUT_OF_RANGE],
    ['get-stale-if-match', FILES_ERRORS.CHANGED],
  ])('turns %s of a real server into %s', async (name, code) => {
    gateway.answer = () => recorded(name);
    await expect((await files()).read(at('/x'))).rejects.toMatchObject({ code });
  });

  it('waits for a short lock', async () => {
    let asked = 0;
    gateway.answer = () => recorded((asked += 1) < 3 ? 'get-locked' : 'get');
    expect(await textOf(await (await files()).read(at('/slow.txt')))).toBe('hello world\n');
    expect(asked).toBe(3);
  });

  it('names the lock that stays', async () => {
    gateway.answer = ({ method }) =>
      method === 'GET'
        ? recorded('get-locked')
        : multistatus(
            resource(
              '/slow.txt',
              '<nc:lock>1</nc:lock><nc:lock-owner-type>0</nc:lock-owner-type><nc:lock-owner-displayname>Bob B</nc:lock-owner-displayname>',
            ),
          );
    await expect((await files()).read(at('/slow.txt'))).rejects.toMatchObject({
      code: FILES_ERRORS.LOCKED,
      message: expect.stringContaining('locked by Bob B'),
    });
  });

  it('does not take half a file for a file', async () => {
    gateway.answer = () => ({ status: 200, headers: { 'content-length': '10' }, body: 'half', cutOff: true });
    const content = await (await files()).read(at('/x'));
    await expect(textOf(content)).rejects.toMatchObject({ code: GATEWAY_ERRORS.INTERRUPTED });
  });
});

describe('pathById', () => {
  it('searches the id in the person’s own files', async () => {
    gateway.answer = () => recorded('search');
    expect(await (await files()).pathById('239')).toBe('/names/😀 smile.txt');
    expect(gateway.asked[0]).toMatchObject({ method: 'SEARCH', path: '/remote.php/dav/' });
    expect(gateway.asked[0]?.body).toContain('<d:href>/files/alice</d:href>');
    expect(gateway.asked[0]?.body).toContain('<d:literal>239</d:literal>');
  });

  it('says when there is none', async () => {
    gateway.answer = () => recorded('search-nothing');
    await expect((await files()).pathById('1')).rejects.toMatchObject({ code: FILES_ERRORS.NOT_FOUND });
  });

  it('escapes what stands in the id', async () => {
    gateway.answer = () => recorded('search-nothing');
    await expect((await files()).pathById('<1>&')).rejects.toThrow();
    expect(gateway.asked[0]?.body).toContain('<d:literal>&lt;1&gt;&amp;</d:literal>');
  });
});
