import { createHash, randomBytes } from 'node:crypto';
import type { RunningGateway } from '@nuqloud/nextcloud-gateway';
import { FilesClient, GatewayClient, parseFilePath } from '@nuqloud/nextcloud';
import { startEmulator } from '@nuqloud/nextcloud-emulator';
import type { Emulator } from '@nuqloud/nextcloud-emulator';
import { APP_SECRET, GatewayBed } from './gateway-bed';
import type { Asked } from './gateway-bed';

const DEPTH_1 = { headers: { depth: '1' } };

const BIG = randomBytes(20 * 1024 * 1024);
const PROPFIND_BODY =
  '<d:propfind xmlns:d="DAV:"><d:prop><d:resourcetype/><d:getcontentlength/></d:prop></d:propfind>';

const searchIn = (href: string): string =>
  `<d:searchrequest xmlns:d="DAV:"><d:basicsearch><d:select><d:prop><d:displayname/></d:prop></d:select>` +
  `<d:from><d:scope><d:href>${href}</d:href><d:depth>infinity</d:depth></d:scope></d:from>` +
  `<d:where><d:like><d:prop><d:displayname/></d:prop><d:literal>%plan%</d:literal></d:like></d:where>` +
  `</d:basicsearch></d:searchrequest>`;

const FIXTURE = {
  users: [
    { id: 'alice', displayName: 'Alice Adams' },
    { id: 'Bob Smith', displayName: 'Bob' },
    { id: 'zoë@example.org', displayName: 'Zoë' },
  ],
  appApi: { id: 'nuqloud_ai', secret: APP_SECRET },
  files: {
    alice: {
      '/Docs/plan.md': 'The plan of Alice',
      '/Docs/100% Ä&b.txt': 'odd',
      '/Docs/My%20File.txt': 'percent',
      '/big.bin': { base64: BIG.toString('base64') },
    },
    'Bob Smith': { '/mine.txt': 'of Bob' },
    'zoë@example.org': { '/hers.txt': 'of Zoë' },
  },
};

jest.setTimeout(60_000);

describe.each([
  ['at the root of its host', ''],
  ['in a sub-folder', '/nextcloud'],
])('a request to a Nextcloud %s', (_where, webRoot) => {
  let bed: GatewayBed;
  let emulator: Emulator;
  let gateway: RunningGateway;

  beforeAll(async () => {
    bed = await GatewayBed.start();
    emulator = await startEmulator({ fixture: FIXTURE, webRoot });
    gateway = await bed.startGateway({ default: emulator.url });
  });
  afterAll(async () => {
    await bed.close();
    await emulator.close();
  });

  it('tells a tool as whom it acts', async () => {
    const answer = await bed.resolve(gateway, { uid: 'Bob Smith' });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body.toString('utf8'))).toEqual({
      v: 1,
      mode: 'user',
      profile: null,
      uid: 'Bob Smith',
    });
  });

  it('lists the own folder', async () => {
    const answer = await bed.ask(gateway, {
      method: 'PROPFIND',
      path: '/remote.php/dav/files/alice/Docs/',
      headers: { depth: '1', 'content-type': 'application/xml' },
      body: PROPFIND_BODY,
    });
    expect(answer.status).toBe(207);
    expect(answer.body.toString('utf8')).toContain(
      `<d:href>${webRoot}/remote.php/dav/files/alice/Docs/plan.md`,
    );
  });

  it('reads a file, a part of it, and its headers', async () => {
    const path = '/remote.php/dav/files/alice/Docs/plan.md';
    const whole = await bed.ask(gateway, { path, tool: 'files_read' });
    expect([whole.status, whole.body.toString('utf8')]).toEqual([200, 'The plan of Alice']);
    const part = await bed.ask(gateway, { path, headers: { range: 'bytes=4-7' } });
    expect([part.status, part.body.toString('utf8')]).toEqual([206, 'plan']);
    const head = await bed.ask(gateway, { path, method: 'HEAD' });
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '17', 0]);
    expect(head.headers.etag).toBe(whole.headers.etag);
    const same = await bed.ask(gateway, { path, headers: { 'if-none-match': whole.headers.etag } });
    expect([same.status, same.body.length]).toEqual([304, 0]);
  });

  it.each([
    ['alice', '/Docs/100% Ä&b.txt', 'odd'],
    ['alice', '/Docs/My%20File.txt', 'percent'],
    ['Bob Smith', '/mine.txt', 'of Bob'],
    ['zoë@example.org', '/hers.txt', 'of Zoë'],
  ])('reads %s %s', async (uid, file, content) => {
    const path = `/remote.php/dav/files/${[uid, ...file.slice(1).split('/')].map(encodeURIComponent).join('/')}`;
    const answer = await bed.ask(gateway, { uid, path });
    expect([answer.status, answer.body.toString('utf8')]).toEqual([200, content]);
  });

  it('reads a file at the end of a very long path', async () => {
    // 4 000 bytes, the longest path that Nextcloud stores; encoded it is three times as long.
    const path = `/remote.php/dav/files/alice/${Array.from({ length: 16 }, () => encodeURIComponent('漢'.repeat(83))).join('/')}`;
    expect(path.length).toBeGreaterThan(11_000);
    const answer = await bed.ask(gateway, { path });
    expect([answer.status, answer.code]).toEqual([404, undefined]);
  });

  it('searches in the own files', async () => {
    const answer = await bed.ask(gateway, {
      method: 'SEARCH',
      path: '/remote.php/dav/',
      headers: { 'content-type': 'text/xml' },
      body: searchIn('/files/alice/Docs'),
    });
    expect(answer.code).toBeUndefined();
    // Whether the emulator can search by name is its own matter; what counts is that Nextcloud was asked.
    expect(await requestsOf(emulator)).toContainEqual(
      expect.objectContaining({ method: 'SEARCH', path: '/remote.php/dav/', user: 'alice' }),
    );
  });

  it('asks about the server and the person', async () => {
    const about = await bed.ask(gateway, {
      path: '/ocs/v2.php/cloud/user?format=json',
      headers: { 'ocs-apirequest': 'true' },
    });
    expect(JSON.parse(about.body.toString('utf8'))).toMatchObject({ ocs: { data: { id: 'alice' } } });
    const server = await bed.ask(gateway, { path: '/ocs/v2.php/cloud/capabilities?format=json' });
    expect(server.status).toBe(200);
  });

  it('hands on 20 MB untouched', async () => {
    const answer = await bed.ask(gateway, { path: '/remote.php/dav/files/alice/big.bin' });
    expect(answer.headers['content-length']).toBe(String(BIG.length));
    expect(sha256(answer.body)).toBe(sha256(BIG));
  });

  it('hands on what Nextcloud does not find', async () => {
    const answer = await bed.ask(gateway, { path: '/remote.php/dav/files/alice/nothing.txt' });
    expect([answer.status, answer.code]).toEqual([404, undefined]);
  });

  it('writes, moves, deletes and brings back', async () => {
    const below = '/remote.php/dav';
    const file = `${below}/files/alice/New%20folder/a.txt`;
    const write = async (method: string, tool: string, path: string, more: Partial<Asked> = {}) => {
      const { status, code } = await bed.ask(gateway, { method, tool, path, ...more });
      return code ?? status;
    };
    const to = (destination: string) => ({ headers: { destination, overwrite: 'F' } });
    const create = { headers: { 'if-none-match': '*' }, body: 'one' };
    expect(await write('MKCOL', 'files_mkdir', `${below}/files/alice/New%20folder`)).toBe(201);
    expect(await write('PUT', 'files_write', file, create)).toBe(201);
    expect(await write('PUT', 'files_write', file, create)).toBe(412);
    expect(await write('PUT', 'files_write', file, { headers: { 'if-match': '"other"' }, body: 'x' })).toBe(
      412,
    );
    expect(await write('PUT', 'files_write', file, { body: 'two' })).toBe(204);
    const moved = `${below}/files/alice/b.txt`;
    expect(await write('MOVE', 'files_move', file, to(moved))).toBe(201);
    expect(await write('COPY', 'files_copy', moved, to(file))).toBe(201);
    expect(await write('COPY', 'files_copy', moved, to(emulator.url + file))).toBe(412);
    // The bot was given files_write alone: deleting is what undoes it.
    expect(await write('DELETE', 'files_delete', moved)).toBe(204);
    const trash = await bed.ask(gateway, {
      method: 'PROPFIND',
      path: `${below}/trashbin/alice/trash`,
      ...DEPTH_1,
    });
    const [, name] = /trash\/(b\.txt\.d[0-9]+)</.exec(trash.body.toString()) ?? [];
    // No `Overwrite` here: Nextcloud takes its restore folder for one in which every name exists.
    const restore = { headers: { destination: `${below}/trashbin/alice/restore/${name}` } };
    expect(await write('MOVE', 'files_restore', `${below}/trashbin/alice/trash/${name}`, restore)).toBe(201);
    const read = await bed.ask(gateway, { path: moved, tool: 'files_read' });
    expect(read.body.toString()).toBe('two');
  });

  it('is what the files client makes of a folder, a file and an id', async () => {
    const files = new FilesClient(
      new GatewayClient({
        url: gateway.url,
        instance: 'default',
        signer: bed.toolFiles,
        attestation: await bed.attest(),
        tool: 'files_read',
        signal: AbortSignal.timeout(20_000),
      }),
    );
    const folder = parseFilePath('/Docs');
    const odd = parseFilePath('/Docs/100% Ä&b.txt');
    if (!folder.ok || !odd.ok) throw new Error('these are paths');
    const page = await files.list(folder.path, { limit: 10 });
    expect(page.entries.map(({ path }) => path)).toContain(odd.path);
    const entry = await files.stat(odd.path);
    expect(await files.pathById(entry.fileId ?? 'none')).toBe(odd.path);
  });

  it('logs who and what, but no path, no header and no secret', () => {
    const lines = bed.logs.join('');
    expect(lines).toContain('"event":"gateway.forwarded"');
    expect(lines).toContain('"path":"/remote.php/dav/files/{uid}/**"');
    expect(lines).toContain('"messageId":"1567"');
    for (const secret of ['plan', 'Docs', 'big.bin', APP_SECRET, 'Bearer', 'eyJ', appApiLogin('alice')]) {
      expect(lines).not.toContain(secret);
    }
  });
});

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const appApiLogin = (uid: string): string => Buffer.from(`${uid}:${APP_SECRET}`).toString('base64');

const requestsOf = async (
  emulator: Emulator,
): Promise<{ method: string; path: string; user: string | null }[]> => {
  const origin = new URL(emulator.url).href.replace(/\/$/, '');
  const answer = await fetch(`${origin}/_emulator/requests?after=0`);
  const { requests } = (await answer.json()) as {
    requests: { method: string; path: string; user: string | null }[];
  };
  return requests;
};
