import { startEmulator } from '../src';
import type { Emulator, FixtureInput } from '../src';
import { davAs } from './dav-calls';
import { callsTo } from './nextcloud-calls';

const FIXTURE: FixtureInput = {
  users: ['alice', 'bob'].map((id) => ({ id, password: `${id}-password` })),
  files: { alice: { '/Docs/deep/plan.md': 'plan', '/Docs/empty.md': '', '/note.txt': 'first' } },
};
const TRASH = '/trashbin/alice/trash';

describe('the trash bin', () => {
  let clock = Date.UTC(2026, 5, 1);
  let emulator: Emulator;
  const { send, put, read, remove, move, properties, list } = davAs(() => emulator.url);
  const { control, asUser } = callsTo(() => emulator.url);
  const trash = async () =>
    (
      await list(
        'alice',
        TRASH,
        'nc:trashbin-filename',
        'nc:trashbin-original-location',
        'nc:trashbin-deletion-time',
        'nc:trashbin-title',
        'oc:fileid',
      )
    ).slice(1);
  const restore = async (at = 0) =>
    move('alice', (await trash())[at]?.href ?? '', '/trashbin/alice/restore/anything');

  beforeAll(async () => {
    emulator = await startEmulator({ fixture: FIXTURE, now: () => clock });
  });
  beforeEach(() => {
    emulator.reset();
    clock += 10_000;
  });
  afterAll(() => emulator.close());

  it('names what was deleted, where it was and when', async () => {
    const { 'oc:fileid': id } = await properties('alice', '/files/alice/Docs/deep/plan.md', 'oc:fileid');
    await remove('alice', '/Docs/deep/plan.md');
    const seconds = String(Math.floor(clock / 1000));
    expect(await trash()).toEqual([
      {
        href: `${TRASH}/plan.md.d${seconds}`,
        properties: {
          'nc:trashbin-filename': 'plan.md',
          'nc:trashbin-original-location': 'Docs/deep/plan.md',
          'nc:trashbin-title': 'Docs/deep/plan.md',
          'nc:trashbin-deletion-time': seconds,
          'oc:fileid': id,
        },
      },
    ]);
  });

  it('gives a folder back with everything in it and the ids it had', async () => {
    const of = () => properties('alice', '/files/alice/Docs/deep/plan.md', 'oc:fileid', 'd:getetag');
    const before = await of();
    await remove('alice', '/Docs');
    expect(await read('alice', '/Docs/deep/plan.md')).toBe(404);
    const [item] = await trash();
    expect(
      (await list('alice', `${item?.href}deep`, 'nc:trashbin-original-location')).map(
        (one) => one.properties,
      ),
    ).toEqual([
      { 'nc:trashbin-original-location': 'Docs/deep' },
      { 'nc:trashbin-original-location': 'Docs/deep/plan.md' },
    ]);
    expect((await restore()).status).toBe(201);
    expect(await of()).toEqual(before);
    expect(await trash()).toEqual([]);
  });

  it('puts back into the root what has no folder any more, and counts restored names on', async () => {
    await remove('alice', '/Docs/deep/plan.md');
    await remove('alice', '/Docs');
    await put('alice', '/plan.md', 'a');
    await put('alice', '/plan (restored).md', 'b');
    const items = await trash();
    await restore(items.findIndex((item) => item.href.includes('plan.md')));
    expect(await read('alice', '/plan (restored 2).md')).toBe('plan');
    expect(await read('alice', '/plan.md')).toBe('a');
  });

  it('refuses Overwrite F, another place, and other people', async () => {
    await remove('alice', '/note.txt');
    const href = (await trash())[0]?.href ?? '';
    expect((await move('alice', href, '/trashbin/alice/restore/x', { Overwrite: 'F' })).status).toBe(412);
    expect((await move('alice', href, '/files/alice/note.txt')).status).toBe(400);
    expect((await send('bob', 'PROPFIND', TRASH)).status).toBe(403);
    expect((await send('bob', 'DELETE', href)).status).toBe(403);
    expect((await send('alice', 'DELETE', `${TRASH}/nothing.d1`)).status).toBe(404);
  });

  it('lets one item be read and deleted for good, and be emptied as a whole', async () => {
    await remove('alice', '/note.txt');
    await remove('alice', '/Docs');
    const href = (await trash()).find((item) => item.href.includes('note'))?.href ?? '';
    expect(await (await send('alice', 'GET', href)).text()).toBe('first');
    expect((await send('alice', 'DELETE', href)).status).toBe(204);
    expect(await trash()).toHaveLength(1);
    expect((await send('alice', 'DELETE', TRASH)).status).toBe(204);
    expect(await trash()).toEqual([]);
  });

  it('takes what a move replaces', async () => {
    await put('alice', '/target.txt', 'replaced');
    await move('alice', '/files/alice/note.txt', '/files/alice/target.txt');
    expect((await trash()).map((item) => item.properties['nc:trashbin-filename'])).toEqual(['target.txt']);
  });

  it('is not there without its app: then a deletion is final', async () => {
    await control('PUT', '/version', { apps: ['files_versions'] });
    expect((await remove('alice', '/note.txt')).status).toBe(204);
    expect((await send('alice', 'PROPFIND', TRASH)).status).toBe(404);
    const capabilities = await asUser('alice', 'GET', '/ocs/v2.php/cloud/capabilities');
    const { files } = ((await capabilities.json()) as { ocs: { data: { capabilities: { files: unknown } } } })
      .ocs.data.capabilities;
    expect(files).not.toHaveProperty('undelete');
    expect(files).toMatchObject({ versioning: true });
    await control('PUT', '/version', { apps: ['files_trashbin'] });
    expect(await trash()).toEqual([]);
  });
});

describe('versions', () => {
  let clock = Date.UTC(2026, 5, 1);
  let emulator: Emulator;
  const { send, put, read, remove, move, properties, list } = davAs(() => emulator.url);
  const { control } = callsTo(() => emulator.url);
  const folderOf = async (path: string) =>
    `/versions/alice/versions/${(await properties('alice', `/files/alice${path}`, 'oc:fileid'))['oc:fileid']}`;
  const versions = async (path: string) =>
    (await list('alice', await folderOf(path), 'd:getetag', 'd:getcontentlength')).slice(1);

  beforeAll(async () => {
    emulator = await startEmulator({ fixture: FIXTURE, now: () => clock });
  });
  beforeEach(() => {
    emulator.reset({
      ...FIXTURE,
      nextcloud: { version: '25.0.0', apps: ['files_versions', 'files_trashbin'] },
    });
    clock += 10_000;
  });
  afterAll(() => emulator.close());

  it('are the replaced contents, under the time at which they were written', async () => {
    const written = Math.floor(clock / 1000);
    await put('alice', '/new.txt', 'one');
    clock += 5_000;
    await put('alice', '/new.txt', 'two two');
    const folder = await folderOf('/new.txt');
    expect(await versions('/new.txt')).toEqual([
      {
        href: `${folder}/${written}`,
        properties: { 'd:getetag': String(written), 'd:getcontentlength': '3' },
      },
    ]);
    const got = await send('alice', 'GET', `${folder}/${written}`);
    expect(await got.text()).toBe('one');
    expect(got.headers.get('etag')).toBe(String(written));
  });

  it('are not made of an empty file, nor twice within one second', async () => {
    await put('alice', '/Docs/empty.md', 'filled');
    expect(await versions('/Docs/empty.md')).toEqual([]);
    await put('alice', '/Docs/empty.md', 'again');
    await put('alice', '/Docs/empty.md', 'and again');
    expect(await versions('/Docs/empty.md')).toHaveLength(1);
  });

  it('come back by a move: the current content becomes a version, the restored one leaves the list', async () => {
    await put('alice', '/note.txt', 'second');
    const before = await properties('alice', '/files/alice/note.txt', 'd:getetag');
    const [old] = await versions('/note.txt');
    clock += 5_000;
    expect((await move('alice', old?.href ?? '', '/versions/alice/restore/target')).status).toBe(201);
    expect(await read('alice', '/note.txt')).toBe('first');
    expect(await properties('alice', '/files/alice/note.txt', 'd:getetag')).not.toEqual(before);
    const [left, ...more] = await versions('/note.txt');
    expect(more).toEqual([]);
    expect(await (await send('alice', 'GET', left?.href ?? '')).text()).toBe('second');
  });

  it('show the current content among them from 26 on, which cannot be read there', async () => {
    await control('PUT', '/version', { nextcloud: '32.0.1' });
    await put('alice', '/note.txt', 'second');
    const [old, current] = await versions('/note.txt');
    expect(await (await send('alice', 'GET', old?.href ?? '')).text()).toBe('first');
    expect((await send('alice', 'GET', current?.href ?? '')).status).toBe(404);
  });

  it('follow the file through a move and through the trash', async () => {
    await put('alice', '/note.txt', 'second');
    await move('alice', '/files/alice/note.txt', '/files/alice/Docs/moved.txt');
    expect(await versions('/Docs/moved.txt')).toHaveLength(1);
    await remove('alice', '/Docs/moved.txt');
    const [, item] = await list('alice', TRASH);
    await move('alice', item?.href ?? '', '/trashbin/alice/restore/x');
    expect(await versions('/Docs/moved.txt')).toHaveLength(1);
  });

  it('belong to those who have the file: 404 for an unknown one, 403 for another’s list', async () => {
    const folder = await folderOf('/note.txt');
    expect((await send('alice', 'PROPFIND', '/versions/alice/versions/9999')).status).toBe(404);
    expect((await send('bob', 'PROPFIND', folder)).status).toBe(403);
    expect((await send('bob', 'PROPFIND', folder.replace('alice', 'bob'))).status).toBe(404);
  });

  it('can be deleted from 26 on only', async () => {
    await put('alice', '/note.txt', 'second');
    const [old] = await versions('/note.txt');
    expect((await send('alice', 'DELETE', old?.href ?? '')).status).toBe(403);
    await control('PUT', '/version', { nextcloud: '26.0.0' });
    expect((await send('alice', 'DELETE', old?.href ?? '')).status).toBe(204);
  });
});
