import { startEmulator } from '../src';
import type { Emulator, FixtureInput } from '../src';
import { davAs } from './dav-calls';
import { callsTo } from './nextcloud-calls';

const FIXTURE: FixtureInput = {
  users: ['alice', 'bob', 'carol', 'dan'].map((id) => ({
    id,
    password: `${id}-password`,
    groups: id === 'dan' ? [] : ['team'],
  })),
  files: {
    alice: {
      '/Docs/plan.md': 'plan',
      '/Docs/sub/deep.md': 'deep',
      '/Read/only.md': 'r',
      '/one.txt': '1',
      '/Drop/': null,
    },
    bob: { '/Docs/mine.md': 'mine', '/home.txt': 'h' },
  },
  shares: [
    { owner: 'alice', path: '/Docs', type: 'user', with: 'bob', permissions: 31 },
    { owner: 'alice', path: '/Read', type: 'user', with: 'bob', permissions: 1 },
    { owner: 'alice', path: '/Drop', type: 'user', with: 'bob', permissions: 5 },
    { owner: 'alice', path: '/one.txt', type: 'group', with: 'team', permissions: 31 },
  ],
  groupFolders: [{ mount: '/Team', groups: ['team'], files: { '/rules.md': 'rules', '/old/': null } }],
};

describe('files of several people', () => {
  let clock = Date.UTC(2026, 5, 1);
  let emulator: Emulator;
  const { send, put, read, remove, move, properties, list } = davAs(() => emulator.url);
  const { asUser } = callsTo(() => emulator.url);
  const of = (user: string, path: string, ...names: string[]) =>
    properties(user, `/files/${user}${path}`, ...names);

  beforeAll(async () => {
    emulator = await startEmulator({ fixture: FIXTURE, now: () => clock });
  });
  beforeEach(() => {
    emulator.reset();
    clock += 10_000;
  });
  afterAll(() => emulator.close());

  it('are the same file under another name for the recipient', async () => {
    const names = ['oc:fileid', 'd:getetag', 'oc:owner-id'];
    expect(await of('bob', '/Docs (2)/plan.md', ...names)).toEqual(
      await of('alice', '/Docs/plan.md', ...names),
    );
    expect(await read('bob', '/Docs (2)/plan.md')).toBe('plan');
    expect(await read('bob', '/Docs/mine.md')).toBe('mine');
  });

  it('say by whom and how they came', async () => {
    const names = ['oc:permissions', 'nc:mount-type', 'nc:is-mount-root', 'oc:owner-id'];
    expect(await of('bob', '/Docs (2)', ...names)).toEqual({
      'oc:permissions': 'SRGDNVCK',
      'nc:mount-type': 'shared',
      'nc:is-mount-root': 'true',
      'oc:owner-id': 'alice',
    });
    expect(await of('bob', '/Read/only.md', ...names)).toMatchObject({
      'oc:permissions': 'SG',
      'nc:is-mount-root': 'false',
    });
    expect(await of('bob', '/one.txt', 'oc:permissions')).toEqual({ 'oc:permissions': 'SRGDNVW' });
    expect(await of('bob', '/Team', ...names, 'nc:group-folder-id')).toEqual({
      'oc:permissions': 'RMGCK',
      'nc:mount-type': 'group',
      'nc:is-mount-root': 'true',
      'oc:owner-id': 'bob',
      'nc:group-folder-id': '1',
    });
  });

  it('say with whom they are shared', async () => {
    const { 'oc:share-types': types, 'nc:sharees': sharees } = await of(
      'alice',
      '/one.txt',
      'oc:share-types',
      'nc:sharees',
    );
    expect(types).toBe('<oc:share-type>1</oc:share-type>');
    expect(sharees).toBe(
      '<nc:sharee><nc:id>team</nc:id><nc:display-name>team</nc:display-name><nc:type>1</nc:type></nc:sharee>',
    );
  });

  it('change for everybody, up to the root of each', async () => {
    const roots = async () => [await of('alice', '/', 'd:getetag'), await of('bob', '/', 'd:getetag')];
    const before = await roots();
    expect((await put('bob', '/Docs (2)/plan.md', 'bob was here')).status).toBe(204);
    expect(await read('alice', '/Docs/plan.md')).toBe('bob was here');
    const after = await roots();
    expect(after[0]).not.toEqual(before[0]);
    expect(after[1]).not.toEqual(before[1]);
  });

  it('are protected by the rights of the share', async () => {
    expect((await put('bob', '/Read/only.md', 'x')).status).toBe(403);
    expect((await put('bob', '/Read/new.md', 'x')).status).toBe(403);
    expect((await send('bob', 'MKCOL', '/files/bob/Read/new')).status).toBe(403);
    expect((await remove('bob', '/Read/only.md')).status).toBe(403);
    expect((await move('bob', '/files/bob/Read/only.md', '/files/bob/taken.md')).status).toBe(403);
    expect((await move('bob', '/files/bob/home.txt', '/files/bob/Read/home.txt')).status).toBe(403);
    expect((await put('bob', '/Drop/new.md', 'x')).status).toBe(201);
    expect((await put('bob', '/Drop/new.md', 'y')).status).toBe(403);
    expect((await remove('bob', '/Drop/new.md')).status).toBe(403);
    expect(await read('alice', '/Drop/new.md')).toBe('x');
  });

  it('leave only the own view when the recipient deletes the share', async () => {
    expect((await remove('bob', '/one.txt')).status).toBe(204);
    expect(await read('bob', '/one.txt')).toBe(404);
    expect(await read('alice', '/one.txt')).toBe('1');
    expect(await read('carol', '/one.txt')).toBe('1');
    expect(await list('bob', '/trashbin/bob/trash')).toHaveLength(1);
  });

  it('go into the owner’s trash, and as a copy into that of who deleted them', async () => {
    expect((await remove('bob', '/Docs (2)/plan.md')).status).toBe(204);
    expect(await read('alice', '/Docs/plan.md')).toBe(404);
    const locations = async (user: string) =>
      (
        await list(
          user,
          `/trashbin/${user}/trash`,
          'nc:trashbin-original-location',
          'nc:trashbin-deleted-by-id',
        )
      )
        .slice(1)
        .map((item) => item.properties);
    expect(await locations('alice')).toEqual([
      { 'nc:trashbin-original-location': 'Docs/plan.md', 'nc:trashbin-deleted-by-id': 'bob' },
    ]);
    expect(await locations('bob')).toEqual([
      { 'nc:trashbin-original-location': 'Docs (2)/plan.md', 'nc:trashbin-deleted-by-id': 'bob' },
    ]);
  });

  it('can be given another name and place, which changes nothing for the owner', async () => {
    await send('bob', 'MKCOL', '/files/bob/From others');
    expect((await move('bob', '/files/bob/Docs (2)', '/files/bob/From others/Alice')).status).toBe(201);
    expect(await read('bob', '/From others/Alice/plan.md')).toBe('plan');
    expect(await read('alice', '/Docs/plan.md')).toBe('plan');
    await move('bob', '/files/bob/From others', '/files/bob/Foreign');
    expect(await read('bob', '/Foreign/Alice/plan.md')).toBe('plan');
    expect((await move('bob', '/files/bob/Read', '/files/bob/Foreign/Alice/Read')).status).toBe(403);
  });

  it('of a group folder are for its members, and their trash too', async () => {
    expect(await read('dan', '/Team/rules.md')).toBe(404);
    expect((await put('carol', '/Team/new.md', 'new')).status).toBe(201);
    expect(await read('bob', '/Team/new.md')).toBe('new');
    expect((await remove('bob', '/Team')).status).toBe(403);
    expect((await remove('bob', '/Team/new.md')).status).toBe(204);
    const [, item] = await list('carol', '/trashbin/carol/trash', 'nc:trashbin-original-location');
    expect(item?.properties).toEqual({ 'nc:trashbin-original-location': 'Team/new.md' });
    await move('carol', item?.href ?? '', '/trashbin/carol/restore/x');
    expect(await read('bob', '/Team/new.md')).toBe('new');
  });

  it('are found by a search, by name and by id', async () => {
    const { 'oc:fileid': id } = await of('alice', '/Docs/sub/deep.md', 'oc:fileid');
    const search = async (property: string, operator: string, literal: string) => {
      const body = `<d:searchrequest xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:basicsearch><d:select><d:prop><oc:fileid/></d:prop></d:select><d:from><d:scope><d:href>/files/bob</d:href><d:depth>infinity</d:depth></d:scope></d:from><d:where><d:${operator}><d:prop><${property}/></d:prop><d:literal>${literal}</d:literal></d:${operator}></d:where></d:basicsearch></d:searchrequest>`;
      const xml = await (await send('bob', 'SEARCH', '/', { 'Content-Type': 'text/xml' }, body)).text();
      return [...xml.matchAll(/<d:href>([^<]*)</g)].map(([, href]) => decodeURIComponent(href ?? ''));
    };
    const expected = ['/remote.php/dav/files/bob/Docs (2)/sub/deep.md'];
    expect(await search('oc:fileid', 'eq', id ?? '')).toEqual(expected);
    expect(await search('d:displayname', 'like', 'deep%')).toEqual(expected);
  });

  it('have their versions for every recipient, and only who may change may roll back', async () => {
    await put('alice', '/Docs/plan.md', 'second');
    await put('alice', '/Read/only.md', 'second');
    const first = async (path: string) => {
      const { 'oc:fileid': id } = await of('bob', path, 'oc:fileid');
      return (await list('bob', `/versions/bob/versions/${id}`))[1]?.href ?? '';
    };
    expect((await move('bob', await first('/Docs (2)/plan.md'), '/versions/bob/restore/target')).status).toBe(
      201,
    );
    expect(await read('alice', '/Docs/plan.md')).toBe('plan');
    expect((await move('bob', await first('/Read/only.md'), '/versions/bob/restore/target')).status).toBe(
      403,
    );
  });

  it('count towards the quota of their owner', async () => {
    emulator.reset({ ...FIXTURE, quotas: { alice: 30, bob: 5 } });
    expect((await put('bob', '/Docs (2)/x.md', 'x'.repeat(10))).status).toBe(201);
    expect((await put('bob', '/Docs (2)/y.md', 'y'.repeat(30))).status).toBe(507);
    expect((await asUser('bob', 'GET', '/ocs/v2.php/cloud/user')).status).toBe(200);
  });
});
