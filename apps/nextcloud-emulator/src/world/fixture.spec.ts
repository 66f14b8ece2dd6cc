import { parseJsonFixture, readDemoTeam } from '../read-fixture';
import { buildWorld } from './build-world';
import { findNode } from './file-tree';
import { InvalidFixture, parseFixture } from './fixture';
import type { FixtureInput } from './fixture';
import { NOW, worldOf } from '../../test/worlds';

const SECRET = 'a-bot-secret-that-is-long-enough-for-talk-0001';

/** Every part that the documentation of the fixture names. */
const DOCUMENTED: FixtureInput = {
  nextcloud: { version: '32.0.1', apps: ['spreed', 'calendar', 'deck', 'collectives', 'app_api'] },
  users: [
    {
      id: 'alice',
      displayName: 'Alice Adams',
      email: 'alice@cloud.example',
      password: '…',
      language: 'en',
      timezone: 'Europe/Berlin',
      groups: ['team'],
    },
    { id: 'bob' },
  ],
  appApi: { id: 'nuqloud_ai', secret: '…' },
  bots: [
    {
      name: 'NuQ',
      secret: SECRET,
      url: 'http://127.0.0.1:1234/webhook/talk/nuq',
      features: ['webhook', 'response', 'reaction'],
    },
  ],
  rooms: [
    {
      token: 'x7k2m9pq',
      name: 'Team',
      type: 'group',
      members: ['users/alice', 'users/bob', 'guests/7f3a'],
      bots: ['NuQ'],
    },
  ],
  files: {
    alice: {
      '/Docs/plan.md': 'text',
      '/Photos/a.jpg': { base64: 'AAAA', mimetype: 'image/jpeg' },
      '/Empty/': null,
    },
  },
  shares: [{ owner: 'alice', path: '/Docs', type: 'user', with: 'bob', permissions: 1 }],
  calendars: [{ owner: 'alice', id: 'personal', name: 'Personal', events: ['BEGIN:VCALENDAR…'] }],
  quotas: { bob: 10_485_760 },
  groupFolders: [{ mount: '/Team', groups: ['team'] }],
  locks: [{ owner: 'alice', path: '/Docs/plan.md', editor: 'text' }],
  boards: [],
  collectives: [],
  bridges: [],
};

function refusal(fixture: unknown): string {
  try {
    parseFixture(fixture);
  } catch (error) {
    if (error instanceof InvalidFixture) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('a fixture', () => {
  it('may have every documented part', () => {
    const world = worldOf(DOCUMENTED);
    expect(world.versions).toMatchObject({ nextcloud: '32.0.1', talk: '22.0.1' });
    expect(world.unserved).toMatchObject({ calendars: DOCUMENTED.calendars });
    expect(world.shares).toMatchObject([{ ownerId: 'alice', type: 'user', with: 'bob', permissions: 1 }]);
    expect(world.groupFolders).toMatchObject([{ mount: '/Team', groups: ['team'] }]);
    expect([...world.locks.values()]).toEqual(['text']);
    expect(world.quotas.get('bob')).toBe(10_485_760);
  });

  it('may be empty', () => {
    expect(worldOf({}).users.size).toBe(0);
  });

  it.each([
    ['an unknown part', { user: [] }, 'the fixture: Unrecognized key: "user"'],
    ['an unknown field', { users: [{ id: 'a', nick: 'b' }] }, 'users[0]: Unrecognized key: "nick"'],
    [
      'a room token with capitals',
      { rooms: [{ token: 'ABCD', name: '' }] },
      'rooms[0].token: a room token is',
    ],
    [
      'a short bot secret',
      { bots: [{ name: 'b', url: 'http://x', secret: 'short' }] },
      'bots[0].secret: the secret of a bot has to be 40 to 128 bytes',
    ],
    [
      'a member who is no user',
      { rooms: [{ token: 'abcd', name: '', members: ['users/zoe'] }] },
      'rooms[0].members[0]: there is no user "zoe"',
    ],
    [
      'a bot that is not there',
      { rooms: [{ token: 'abcd', name: '', bots: ['X'] }] },
      'rooms[0].bots[0]: there is no bot "X"',
    ],
    ['files of nobody', { files: { zoe: {} } }, 'files.zoe: there is no user "zoe"'],
    [
      'a path that climbs',
      { users: [{ id: 'a' }], files: { a: { '/../x': '' } } },
      'files.a["/../x"]: Invalid key in record',
    ],
    [
      'a folder with text',
      { users: [{ id: 'a' }], files: { a: { '/x/': 'text' } } },
      'files.a["/x/"]: a folder ends in "/"',
    ],
    [
      'a file below a file',
      { users: [{ id: 'a' }], files: { a: { '/x': '', '/x/y': '' } } },
      'files.a["/x/y"]: one of its folders is a file',
    ],
    ['a user twice', { users: [{ id: 'a' }, { id: 'a' }] }, 'users[1].id: this user id is there twice'],
    [
      'a bad version',
      { nextcloud: { version: '32' } },
      'nextcloud.version: write a version as three numbers',
    ],
  ])('is refused for %s, naming the place', (_, fixture, message) => {
    expect(refusal(fixture)).toContain(message);
  });

  it('that is not JSON is refused with line and column', () => {
    expect(() => parseJsonFixture('{\n  "users": [,]\n}')).toThrow(/^line 2, column 13: this is not JSON$/);
  });

  it('for the demo is valid and has what the demo tells about', () => {
    const world = buildWorld(readDemoTeam(), NOW);
    expect([...world.users.values()].map(({ id, language }) => `${id} ${language}`)).toEqual([
      'alice en',
      'bob de',
      'carol fr',
    ]);
    expect(world.rooms.get('x7k2m9pq')?.members.map(({ actor }) => actor.type)).toEqual([
      'users',
      'users',
      'users',
      'guests',
      'federated_users',
    ]);
    const root = world.files.get('alice');
    expect(root && findNode(root, '/Photos/Sunset 🌅.png')).toMatchObject({
      kind: 'file',
      mimetype: 'image/png',
    });
  });
});
