import { startEmulator } from '../src';
import type { Emulator } from '../src';
import { basic, callsTo, exApp, ROOM } from './nextcloud-calls';
import { teamFixture } from './worlds';

const PROPS = `<d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop><oc:fileid/><d:displayname/></d:prop></d:propfind>`;

describe('an emulated server', () => {
  let emulator: Emulator;
  const { asUser } = callsTo(() => emulator.url);
  const DAV = '/remote.php/dav/files/alice';
  const hrefsIn = (xml: string) => [...xml.matchAll(/<d:href>([^<]*)<\/d:href>/g)].map(([, href]) => href);
  const propfind = (path: string, headers: Record<string, string> = {}, body?: string) =>
    fetch(`${emulator.url}${path}`, {
      method: 'PROPFIND',
      headers: { ...basic('alice', 'alice-password'), ...headers },
      ...(body !== undefined && { body }),
    });

  beforeAll(async () => {
    const fixture = teamFixture('32.0.1', 'responseonly://nobody');
    emulator = await startEmulator({
      webRoot: '/nextcloud',
      fixture: {
        ...fixture,
        appApi: { id: 'nuqloud_ai', secret: 'app-secret' },
        files: {
          alice: { '/Ünï #1/a.txt': 'aaaa', '/b.txt': 'b', '/c.txt': 'c', '/d.txt': 'd', '/e.txt': 'e' },
        },
        quotas: { alice: 1000 },
      },
    });
  });

  afterAll(() => emulator.close());

  describe('in a sub-folder', () => {
    it('has the folder in its URL and in every href', async () => {
      expect(emulator.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/nextcloud$/);
      expect(hrefsIn(await (await propfind(`${DAV}/`)).text())).toEqual(
        ['', 'b.txt', 'c.txt', 'd.txt', 'e.txt', '%c3%9cn%c3%af%20%231/'].map(
          (name) => `/nextcloud/remote.php/dav/files/alice/${name}`,
        ),
      );
    });

    it('is not found beside the folder, while the control API is at both places', async () => {
      const origin = new URL(emulator.url).origin;
      expect((await fetch(`${origin}/status.php`)).status).toBe(404);
      expect((await fetch(`${origin}/_emulator/requests`)).status).toBe(200);
      expect((await fetch(`${emulator.url}/_emulator/requests`)).status).toBe(200);
    });

    it('shows the chat page that loads its own files from there', async () => {
      const html = await (await fetch(`${emulator.url}/`)).text();
      expect(html).toContain('/nextcloud/_emulator/page/page.js');
      expect((await fetch(`${emulator.url}/_emulator/page/page.js`)).headers.get('content-type')).toBe(
        'text/javascript; charset=utf-8',
      );
    });
  });

  describe('with an app that acts as users', () => {
    it('lets it into DAV under the exact spelling of the id only', async () => {
      const list = (user: string) =>
        fetch(`${emulator.url}${DAV}`, { method: 'PROPFIND', headers: exApp(user) });
      expect((await list('alice')).status).toBe(207);
      expect((await list('Alice')).status).toBe(401);
    });

    it('does not mind the case in OCS', async () => {
      const response = await fetch(`${emulator.url}/ocs/v2.php/cloud/user?format=json`, {
        headers: { 'OCS-APIRequest': 'true', ...exApp('Alice') },
      });
      expect(await response.json()).toMatchObject({ ocs: { data: { id: 'alice' } } });
    });

    it('refuses a wrong secret on its own routes with a bare object, and says what is not built', async () => {
      const call = (secret?: string) =>
        fetch(`${emulator.url}/ocs/v1.php/apps/app_api/api/v1/ui/top-menu`, {
          headers: { ...exApp('', secret), Accept: 'application/json' },
        });
      const refused = await call('wrong');
      expect(refused.status).toBe(401);
      expect(await refused.text()).toBe('{"message":"AppAPI authentication failed"}');
      expect(await (await call()).json()).toMatchObject({ ocs: { meta: { statuscode: 501 } } });
    });

    it('is nobody without a user', async () => {
      const response = await fetch(`${emulator.url}/ocs/v2.php/cloud/user?format=json`, {
        headers: { 'OCS-APIRequest': 'true', ...exApp('') },
      });
      expect(response.status).toBe(401);
    });
  });

  it('gives public capabilities to nobody, without the CSRF header, and more to a user', async () => {
    const open = await fetch(`${emulator.url}/ocs/v2.php/cloud/capabilities?format=json`);
    const { capabilities } = (
      (await open.json()) as { ocs: { data: { capabilities: Record<string, unknown> } } }
    ).ocs.data;
    expect(capabilities).toMatchObject({ spreed: { version: '22.0.1' }, app_api: { version: '32.0.1' } });
    expect(capabilities).not.toHaveProperty('files');
    const own = await asUser('alice', 'GET', '/ocs/v2.php/cloud/capabilities');
    expect(await own.json()).toMatchObject({
      ocs: { data: { capabilities: { files: {}, dav: {}, app_api: { loglevel: 1 } } } },
    });
  });

  it('names the features of Talk by their version', async () => {
    const response = await asUser('alice', 'GET', '/ocs/v2.php/cloud/capabilities');
    const { features } = (
      (await response.json()) as { ocs: { data: { capabilities: { spreed: { features: string[] } } } } }
    ).ocs.data.capabilities.spreed;
    expect(features).toEqual(expect.arrayContaining(['bots-v1', 'threads', 'edit-messages']));
    expect(features).not.toContain('bot-features-api');
  });

  it('tells an administrator about others, and an ordinary user nothing', async () => {
    expect((await asUser('alice', 'GET', '/ocs/v2.php/cloud/users/bob')).status).toBe(404);
    expect((await asUser('alice', 'GET', '/ocs/v2.php/cloud/users/alice')).status).toBe(200);
  });

  it('counts the quota of a user', async () => {
    const response = await asUser('alice', 'GET', '/ocs/v2.php/cloud/user');
    expect(await response.json()).toMatchObject({
      ocs: { data: { quota: { quota: 1000, used: 8, free: 992 } } },
    });
    expect(await (await propfind(`${DAV}/`, { Depth: '0' })).text()).toContain(
      '<d:quota-available-bytes>992</d:quota-available-bytes>',
    );
  });

  it('sets cookies on every answer, which no client should send back', async () => {
    const response = await fetch(`${emulator.url}/status.php`);
    expect(response.headers.getSetCookie()).toHaveLength(4);
    expect(response.headers.get('x-request-id')).not.toBeNull();
  });

  it('gives display names where the version knows them', async () => {
    expect(await (await propfind(`${DAV}/b.txt`, {}, PROPS)).text()).toContain(
      '<d:displayname>b.txt</d:displayname>',
    );
  });

  it('refuses a DOCTYPE in a body', async () => {
    const response = await propfind(DAV, {}, `<!DOCTYPE x [<!ENTITY e "x">]>${PROPS}`);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('A DOCTYPE is not accepted');
  });

  it('reads a file by a path in either spelling of its accents', async () => {
    for (const form of ['NFC', 'NFD']) {
      const path = encodeURIComponent('Ünï #1'.normalize(form));
      const response = await fetch(`${emulator.url}${DAV}/${path}/a.txt`, {
        headers: basic('alice', 'alice-password'),
      });
      expect(await response.text()).toBe('aaaa');
      expect(hrefsIn(await (await propfind(`${DAV}/${path}`, { Depth: '0' })).text())).toEqual([
        '/nextcloud/remote.php/dav/files/alice/%c3%9cn%c3%af%20%231/',
      ]);
    }
  });

  it.each([
    ['bytes=1-2', 206, 'aa', 'bytes 1-2/4'],
    ['bytes=2-', 206, 'aa', 'bytes 2-3/4'],
    ['bytes=-1', 206, 'a', 'bytes 3-3/4'],
    ['bytes=0-99', 206, 'aaaa', 'bytes 0-3/4'],
    ['items=0-1', 200, 'aaaa', null],
  ])('answers the range %s', async (range, status, body, contentRange) => {
    const headers = { ...basic('alice', 'alice-password'), Range: range };
    const response = await fetch(`${emulator.url}${DAV}/${encodeURIComponent('Ünï #1')}/a.txt`, { headers });
    expect([response.status, await response.text(), response.headers.get('content-range')]).toEqual([
      status,
      body,
      contentRange,
    ]);
  });

  it('finds a file by its id, and nothing of other people', async () => {
    const id = /<oc:fileid>(\d+)</.exec(await (await propfind(`${DAV}/b.txt`, {}, PROPS)).text())?.[1] ?? '';
    const searchAs = (user: string) =>
      fetch(`${emulator.url}/remote.php/dav/`, {
        method: 'SEARCH',
        headers: { ...basic(user, `${user}-password`), 'Content-Type': 'text/xml' },
        body: `<d:searchrequest xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:basicsearch><d:select><d:prop><oc:fileid/></d:prop></d:select><d:from><d:scope><d:href>/files/${user}</d:href><d:depth>infinity</d:depth></d:scope></d:from><d:where><d:eq><d:prop><oc:fileid/></d:prop><d:literal>${id}</d:literal></d:eq></d:where><d:orderby/></d:basicsearch></d:searchrequest>`,
      });
    expect(hrefsIn(await (await searchAs('alice')).text())).toEqual([
      '/nextcloud/remote.php/dav/files/alice/b.txt',
    ]);
    const none = await searchAs('bob');
    expect(none.status).toBe(207);
    expect(hrefsIn(await none.text())).toEqual([]);
  });

  describe('with a long listing', () => {
    const page = (headers: Record<string, string>) => propfind(`${DAV}/`, headers);
    const paging = { 'X-NC-Paginate': 'true', 'X-NC-Paginate-Count': '4' };
    const namesOf = async (response: Response) =>
      hrefsIn(await response.text()).map((href) => href?.split('/files/alice/')[1]);

    it('announces paging and gives it by token, the folder itself being the first entry', async () => {
      const first = await page(paging);
      expect(first.headers.get('dav')).toContain('nc-paginate');
      expect(first.headers.get('x-nc-paginate-total')).toBe('6');
      expect(await namesOf(first)).toEqual(['', 'b.txt', 'c.txt', 'd.txt']);
      const token = first.headers.get('x-nc-paginate-token') ?? '';
      const second = await page({ ...paging, 'X-NC-Paginate-Token': token, 'X-NC-Paginate-Offset': '4' });
      expect(await namesOf(second)).toEqual(['e.txt', '%c3%9cn%c3%af%20%231/']);
    });

    it('computes an unknown token anew, under a new one', async () => {
      const response = await page({
        ...paging,
        'X-NC-Paginate-Token': 'expired',
        'X-NC-Paginate-Offset': '1',
      });
      expect(response.headers.get('x-nc-paginate-token')).toMatch(/^[0-9a-f]{32}$/);
      expect(await namesOf(response)).toEqual(['b.txt', 'c.txt', 'd.txt', 'e.txt']);
    });

    it('gives everything at once when it fits, and where the version has no paging', async () => {
      const fits = await page({ ...paging, 'X-NC-Paginate-Count': '6' });
      expect(fits.headers.get('x-nc-paginate-token')).toBeNull();
      await callsTo(() => emulator.url).control('PUT', '/version', { nextcloud: '30.0.0' });
      expect(await namesOf(await page(paging))).toHaveLength(6);
      await callsTo(() => emulator.url).control('PUT', '/version', { nextcloud: '32.0.1' });
    });
  });

  it.each([
    ['PROPPATCH', `${DAV}/b.txt`],
    ['REPORT', `${DAV}/`],
    ['MKCOL', '/remote.php/dav/uploads/alice/1'],
    ['PROPFIND', '/remote.php/dav/calendars/alice/'],
    ['PROPFIND', '/remote.php/dav/'],
    ['POST', '/ocs/v2.php/apps/files_sharing/api/v1/shares'],
    ['GET', '/ocs/v2.php/apps/files_sharing/api/v1/sharees'],
    ['GET', '/ocs/v2.php/core/autocomplete/get'],
    ['PUT', `/ocs/v2.php/apps/spreed/api/v4/room/${ROOM}`],
    ['GET', '/index.php/apps/deck/api/v1.0/boards'],
  ])('answers 501 to %s %s, which is not built yet', async (method, path) => {
    expect((await asUser('alice', method, path)).status).toBe(501);
  });

  it.each([
    '/ocs/v2.php/apps/nope/x',
    '/ocs/v2.php/apps/deck/api/v1.0/boards',
    '/remote.php/dav/nope/',
    '/nowhere',
  ])('answers 404 to %s, which this server would not have', async (path) => {
    expect((await asUser('alice', 'GET', path)).status).toBe(404);
  });
});

describe('starting', () => {
  it('fails when the port is taken', async () => {
    const first = await startEmulator();
    const port = Number(new URL(first.url).port);
    await expect(startEmulator({ port })).rejects.toThrow('EADDRINUSE');
    await first.close();
  });

  it('takes the public URL for what it tells others', async () => {
    const emulator = await startEmulator({
      publicUrl: 'https://cloud.example.org/',
      fixture: teamFixture('32.0.1', 'http://127.0.0.1:9/x'),
    });
    const { control } = callsTo(() => emulator.url);
    await control('POST', `/rooms/${ROOM}/messages`, { user: 'alice', text: '@all' });
    const [webhook] = (
      (await (await control('GET', '/webhooks')).json()) as {
        webhooks: { headers: Record<string, string>; body: string }[];
      }
    ).webhooks;
    expect(webhook?.headers['X-Nextcloud-Talk-Backend']).toBe('https://cloud.example.org/');
    expect(webhook?.body).toContain('cloud.example.org');
    await emulator.close();
  });

  it('closes while a client waits for a message', async () => {
    const emulator = await startEmulator({ fixture: teamFixture('32.0.1', 'responseonly://nobody') });
    const { talkAs, control } = callsTo(() => emulator.url);
    const waiting = talkAs('alice', 'GET', `/v1/chat/${ROOM}?lookIntoFuture=1&timeout=60`);
    const refused = expect(waiting).rejects.toThrow();
    await control('GET', '/requests');
    await emulator.close();
    await refused;
  });
});
