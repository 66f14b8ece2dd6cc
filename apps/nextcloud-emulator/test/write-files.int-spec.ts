import { startEmulator } from '../src';
import type { Emulator, FixtureInput } from '../src';
import { davAs } from './dav-calls';
import { callsTo } from './nextcloud-calls';

const users = ['alice', 'bob', 'carol'].map((id) => ({
  id,
  displayName: id.toUpperCase(),
  password: `${id}-password`,
}));
const FIXTURE: FixtureInput = {
  users,
  files: {
    alice: { '/Docs/a/plan.md': 'plan', '/Docs/b/other.md': 'other', '/note.txt': 'note', '/Empty/': null },
    bob: { '/mine.txt': 'mine' },
  },
  quotas: { carol: 100 },
  locks: [{ owner: 'alice', path: '/Docs/b/other.md', editor: 'text' }],
};

describe('writing files', () => {
  let clock = Date.UTC(2026, 5, 1);
  let emulator: Emulator;
  const { send, put, read, remove, move, properties, list } = davAs(() => emulator.url);
  const { control } = callsTo(() => emulator.url);
  const etag = async (path: string) =>
    (await properties('alice', `/files/alice${path}`, 'd:getetag'))['d:getetag'];

  beforeAll(async () => {
    emulator = await startEmulator({ fixture: FIXTURE, now: () => clock });
  });
  beforeEach(() => {
    emulator.reset();
    clock += 10_000;
  });
  afterAll(() => emulator.close());

  it('changes the ETag of every folder above, and of no other', async () => {
    const paths = ['/', '/Docs', '/Docs/a', '/Docs/b', '/Empty'];
    const etags = async () => Promise.all(paths.map((path) => etag(path)));
    const before = await etags();
    await put('alice', '/Docs/a/new.txt', 'x');
    const after = await etags();
    expect(paths.filter((_, at) => before[at] !== after[at])).toEqual(['/', '/Docs', '/Docs/a']);
    await remove('alice', '/Docs/a/new.txt');
    expect((await etag('/')) === after[0]).toBe(false);
  });

  it('changes both sides’ ETags with a move, while the file keeps id, ETag and content', async () => {
    const before = [await etag('/Docs/a'), await etag('/Empty')];
    const of = (path: string) => properties('alice', `/files/alice${path}`, 'oc:fileid', 'd:getetag');
    const file = await of('/Docs/a/plan.md');
    const moved = await move('alice', '/files/alice/Docs/a/plan.md', '/files/alice/Empty/renamed.md');
    expect(moved.status).toBe(201);
    expect(await of('/Empty/renamed.md')).toEqual(file);
    expect(await read('alice', '/Empty/renamed.md')).toBe('plan');
    expect(await etag('/Docs/a')).not.toBe(before[0]);
    expect(await etag('/Empty')).not.toBe(before[1]);
  });

  it('keeps the ETag of a file that is overwritten within the second of its last change', async () => {
    const first = await put('alice', '/quick.txt', 'one');
    const second = await put('alice', '/quick.txt', 'two, longer');
    clock += 1_000;
    const third = await put('alice', '/quick.txt', 'three');
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(third.headers.get('etag')).not.toBe(first.headers.get('etag'));
  });

  it('gives a file of the fixture a new ETag at the first change', async () => {
    const before = await etag('/note.txt');
    expect((await put('alice', '/note.txt', 'changed')).status).toBe(204);
    expect(await etag('/note.txt')).not.toBe(before);
  });

  it('answers a missing parent with 409, and with 404 up to 24', async () => {
    expect((await put('alice', '/nope/x.txt', 'x')).status).toBe(409);
    expect((await send('alice', 'MKCOL', '/files/alice/nope/x')).status).toBe(409);
    await control('PUT', '/version', { nextcloud: '24.0.5' });
    expect((await put('alice', '/nope/x.txt', 'x')).status).toBe(404);
  });

  it('makes nothing below a file and no file out of a folder', async () => {
    expect((await put('alice', '/note.txt/x', 'x')).status).toBe(409);
    expect((await put('alice', '/Docs', 'x')).status).toBe(409);
    expect((await send('alice', 'MKCOL', '/files/alice/note.txt/x')).status).toBe(409);
    expect((await send('alice', 'MKCOL', '/files/alice/Docs')).status).toBe(405);
    expect((await send('alice', 'MKCOL', '/files/alice/new', {}, 'text')).status).toBe(415);
  });

  it('refuses a folder under any ETag, and takes *', async () => {
    const removeIf = (match: string) => send('alice', 'DELETE', '/files/alice/Docs', { 'If-Match': match });
    const own = (await etag('/Docs')) ?? '';
    expect((await removeIf(own)).status).toBe(412);
    expect((await removeIf('*')).status).toBe(204);
  });

  it.each([
    ['a\\b.txt', 400],
    ['a\tb.txt', 400],
    [`${'n'.repeat(251)}`, 400],
    ['.htaccess', 403],
    ['upload.part', 423],
    ['con.txt', 201],
  ])('answers the name %j with its %i', async (name, status) => {
    expect((await put('alice', `/${encodeURIComponent(name)}`, 'x')).status).toBe(status);
  });

  it('stops at the quota, also when it replaces something smaller', async () => {
    expect((await put('carol', '/a.txt', 'a'.repeat(90))).status).toBe(201);
    const refused = await put('carol', '/b.txt', 'b'.repeat(20));
    expect(refused.status).toBe(507);
    expect(await refused.text()).toContain('20 required, 10 available');
    expect((await put('carol', '/a.txt', 'a'.repeat(30))).status).toBe(507);
    expect((await put('carol', '/empty.txt', '')).status).toBe(201);
  });

  it('changes nothing that an app has open', async () => {
    const path = '/files/alice/Docs/b/other.md';
    expect(await properties('alice', path, 'nc:lock', 'nc:lock-owner-type', 'nc:lock-owner-editor')).toEqual({
      'nc:lock': '1',
      'nc:lock-owner-type': '1',
      'nc:lock-owner-editor': 'text',
    });
    expect((await put('alice', '/Docs/b/other.md', 'x')).status).toBe(423);
    expect((await remove('alice', '/Docs/b/other.md')).status).toBe(423);
    expect((await move('alice', path, '/files/alice/other.md')).status).toBe(423);
    expect((await move('alice', '/files/alice/note.txt', path)).status).toBe(423);
    expect(await read('alice', '/Docs/b/other.md')).toBe('other');
    expect(await properties('alice', '/files/alice/note.txt', 'nc:lock', 'nc:lock-owner-type')).toEqual({
      'nc:lock': '',
    });
  });

  it('lets an app’s lock go with the app "files_lock"', async () => {
    await control('PUT', '/version', { apps: ['files_trashbin'] });
    expect((await put('alice', '/Docs/b/other.md', 'x')).status).toBe(204);
    expect(await properties('alice', '/files/alice/note.txt', 'nc:lock')).toEqual({});
  });

  it('takes the time that the client gives, and no impossible one', async () => {
    const dated = await put('alice', '/dated.txt', 'x', { 'X-OC-Mtime': '1700000000' });
    expect(dated.headers.get('x-oc-mtime')).toBe('accepted');
    expect(
      (await properties('alice', '/files/alice/dated.txt', 'd:getlastmodified'))['d:getlastmodified'],
    ).toBe('Tue, 14 Nov 2023 22:13:20 GMT');
    expect((await put('alice', '/undated.txt', 'x', { 'X-OC-Mtime': '0x12' })).status).toBe(500);
  });

  it('copies a folder with new ids and leaves the old one', async () => {
    const copied = await send('alice', 'COPY', '/files/alice/Docs', {
      Destination: '/remote.php/dav/files/alice/Copy',
    });
    expect(copied.status).toBe(201);
    expect((await list('alice', '/files/alice/Copy')).map(({ href }) => href)).toEqual([
      '/files/alice/Copy/',
      '/files/alice/Copy/a/',
      '/files/alice/Copy/b/',
    ]);
    expect(await read('alice', '/Copy/a/plan.md')).toBe('plan');
    expect(await read('alice', '/Docs/a/plan.md')).toBe('plan');
  });

  it('refuses a wrong Overwrite and a target below a file', async () => {
    const to = (path: string, overwrite = 'T') =>
      move('alice', '/files/alice/note.txt', path, { Overwrite: overwrite });
    expect((await to('/files/alice/x.txt', 'maybe')).status).toBe(400);
    expect((await to('/files/alice/Docs/a/plan.md/x')).status).toBe(415);
    expect((await to('/nowhere')).status).toBe(403);
  });
});
