import { startEmulator } from '../src';
import type { Emulator } from '../src';
import { callsTo, dataOf } from './nextcloud-calls';
import { readRecorded } from './recorded-exchange';
import type { RecordedExchange } from './recorded-exchange';
import { SHARED } from './recorded-world';
import { basic } from './nextcloud-calls';

type Data = Record<string, unknown>;

/** What differs from run to run, and the one share with a password, which a fixture cannot have. */
function comparable(body: string): unknown {
  const parsed = JSON.parse(body) as { ocs: { meta: unknown; data: Data[] } };
  const kept = parsed.ocs.data.filter((share) => !share['password']);
  const varying = ['id', 'stime', 'token', 'url', 'storage', 'item_source', 'file_source', 'file_parent'];
  const data = kept.map((share) =>
    Object.entries(share).map(([name, value]) => [name, varying.includes(name) ? typeof value : value]),
  );
  return { meta: parsed.ocs.meta, data };
}

describe('the sharing API beside a real Nextcloud 24.0.5', () => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator({ fixture: SHARED });
  });
  afterAll(() => emulator.close());

  const send = ({ request, user }: RecordedExchange) =>
    fetch(emulator.url + request.path, {
      method: request.method,
      headers: { ...request.headers, ...basic(user ?? '', 'right') },
    });

  it.each(
    readRecorded('share-lists').map(
      (one) => [`${one.case}${one.note ? ` (${one.note})` : ''}`, one] as const,
    ),
  )('answers %s alike', async (_, exchange) => {
    const response = await send(exchange);
    expect(response.status).toBe(exchange.response.status);
    expect(comparable(await response.text())).toEqual(comparable(exchange.response.body));
  });
});

describe('who has access', () => {
  let emulator: Emulator;
  const { asUser } = callsTo(() => emulator.url);
  const list = async (user: string, query: string): Promise<Data[]> =>
    dataOf(await asUser(user, 'GET', `/ocs/v2.php/apps/files_sharing/api/v1/shares${query}`));

  beforeAll(async () => {
    emulator = await startEmulator({
      fixture: {
        users: ['alice', 'bob', 'carol', 'dan'].map((id) => ({
          id,
          password: `${id}-password`,
          groups: id === 'dan' ? [] : ['team'],
        })),
        rooms: [{ token: 'x7k2m9pq', name: 'Team room', members: ['users/alice', 'users/dan'] }],
        files: { alice: { '/Docs/plan.md': 'plan', '/Docs/deep/er.md': 'x', '/private.txt': 'p' } },
        shares: [
          { owner: 'alice', path: '/Docs', type: 'user', with: 'bob', permissions: 1 },
          { owner: 'alice', path: '/Docs', type: 'user', with: 'carol', permissions: 31 },
          { owner: 'alice', path: '/Docs/plan.md', type: 'room', with: 'x7k2m9pq', permissions: 19 },
          { owner: 'alice', path: '/Docs/plan.md', type: 'link', permissions: 1 },
          { owner: 'alice', path: '/Docs/plan.md', type: 'email', with: 'eve@else.example' },
        ],
      },
    });
  });
  afterAll(() => emulator.close());

  it('is told to the owner, who names the file', async () => {
    expect((await list('alice', '?path=/Docs/plan.md')).map((share) => share['share_type'])).toEqual([
      3, 4, 10,
    ]);
    expect(await list('alice', '?path=/private.txt')).toEqual([]);
  });

  it('is told of the folders above as inherited', async () => {
    const inherited = await list('alice', '/inherited?path=/Docs/deep/er.md');
    expect(inherited).toMatchObject([
      { share_with: 'bob', path: '/Docs', via_path: '/Docs' },
      { share_with: 'carol', path: '/Docs', via_path: '/Docs' },
    ]);
  });

  it('is told to a recipient who may share on, and to no other', async () => {
    expect(await list('carol', '?path=/Docs&reshares=true')).toMatchObject([{ share_with: 'bob' }]);
    expect(await list('bob', '?path=/Docs&reshares=true')).toEqual([]);
    expect(
      (await asUser('bob', 'GET', '/ocs/v2.php/apps/files_sharing/api/v1/shares/inherited?path=/Docs'))
        .status,
    ).toBe(403);
  });

  it('lists what somebody has received, with the path in that person’s files', async () => {
    expect(await list('bob', '?shared_with_me=true')).toMatchObject([
      { uid_owner: 'alice', path: '/Docs', file_target: '/Docs', permissions: 1, can_edit: false },
    ]);
    expect(await list('dan', '?shared_with_me=true')).toMatchObject([
      { share_type: 10, path: '/Talk/plan.md', share_with_displayname: 'Team room' },
    ]);
  });

  it('rests while the file lies in the trash, and is there again when it is restored', async () => {
    await asUser('alice', 'DELETE', '/remote.php/dav/files/alice/Docs');
    expect(await list('bob', '?shared_with_me=true')).toEqual([]);
    const trash = await (await asUser('alice', 'PROPFIND', '/remote.php/dav/trashbin/alice/trash')).text();
    const key = /Docs\.d\d+/.exec(trash)?.[0] ?? '';
    const restored = await asUser('alice', 'MOVE', `/remote.php/dav/trashbin/alice/trash/${key}`, undefined, {
      Destination: '/remote.php/dav/trashbin/alice/restore/Docs',
    });
    expect(restored.status).toBe(201);
    expect(await list('bob', '?shared_with_me=true')).toHaveLength(1);
  });
});
