import type { FixtureInput } from '../src';

const users = [
  {
    id: 'alice',
    displayName: 'Alice Example',
    email: 'alice@cloud.example',
    password: 'right',
    groups: ['team'],
  },
  { id: 'bob', displayName: 'Bob Example', email: 'bob@cloud.example', password: 'right', groups: ['team'] },
];
const nextcloud = { version: '24.0.5', apps: ['spreed', 'deck'] };
const bytes = (size: number) => ({ base64: Buffer.alloc(size).toString('base64') });

const skeleton = {
  '/Documents/Example.md': 'e',
  '/Documents/Nextcloud flyer.pdf': 'f',
  '/Documents/Readme.md': 'r',
  '/Documents/Welcome to Nextcloud Hub.docx': 'w',
  '/Nextcloud intro.mp4': 'i',
  '/Nextcloud.png': 'n',
  '/Photos/Birdie.jpg': 'b',
  '/Photos/Frog.jpg': 'f',
  '/Photos/Gorilla.jpg': 'g',
  '/Photos/Library.jpg': 'l',
  '/Photos/Nextcloud community.jpg': 'n',
  '/Photos/Steps.jpg': 's',
  '/Photos/Toucan.jpg': 't',
  '/Photos/Vineyard.jpg': 'v',
  '/Reasons to use Nextcloud.pdf': 'r',
  '/Templates/': null,
};

/** As alice's files were when the recordings began. */
export const FRESH: FixtureInput = {
  nextcloud,
  users,
  files: { alice: skeleton, bob: { '/secret.txt': 's' } },
};

const specialNames = [
  '.hidden',
  '100%.txt',
  '[x](y).txt',
  'a b.txt',
  'a#b.txt',
  'a%20b.txt',
  'a&b<c>.txt',
  'a*b.txt',
  'a+b.txt',
  'a:b.txt',
  'a;b=c.txt',
  'a|b.txt',
  'dot.',
  'it\'s "q".txt',
  'trail .txt ',
  'what?.txt',
  'Übung é.txt',
  'Отчёт.txt',
  '日本語.txt',
  '😀 smile.txt',
];

/** As they were later: what the recorded calls had written in between. */
export const LATER: FixtureInput = {
  nextcloud,
  users,
  files: {
    alice: {
      ...skeleton,
      '/get.txt': 'hello world\n',
      '/ifm.txt': 'v2',
      '/dir1': bytes(6),
      ...Object.fromEntries(specialNames.map((name) => [`/names/${name}`, 'x'])),
      '/prop/sub/f': 'x',
      '/s/dup.txt': 'x',
      '/s/group.txt': 'x',
      '/s/link.txt': 'x',
      '/s/sub/new.txt': 'x',
      '/s/user.txt': 'x',
      '/s/x.txt': 'x',
    },
    bob: { '/secret.txt': 's' },
  },
};

const withTrash = { ...nextcloud, apps: [...nextcloud.apps, 'files_trashbin', 'files_versions'] };

/** Before the recorded writes. */
export const BEFORE_WRITES: FixtureInput = {
  nextcloud: withTrash,
  users,
  files: { alice: { ...skeleton, '/put.txt': 'old', '/dir1/sub/': null, '/concdir/': null }, bob: {} },
};

/** What alice had shared with bob and with his group when his view of it was recorded. */
export const BEFORE_SHARES: FixtureInput = {
  nextcloud: withTrash,
  users,
  files: {
    alice: {
      '/s/sub/': null,
      '/s/user.txt': 'shared s/user.txt',
      '/s/group.txt': 'shared s/group.txt',
      '/s/link.txt': 'shared s/link.txt',
      '/s/x.txt': 'shared s/x.txt',
    },
    bob: {
      '/Documents/': null,
      '/Nextcloud intro.mp4': 'i',
      '/Nextcloud.png': 'n',
      '/Photos/': null,
      '/Reasons to use Nextcloud.pdf': 'r',
      '/Templates/': null,
      '/secret.txt': 's',
    },
  },
  shares: [
    { owner: 'alice', path: '/s/user.txt', type: 'user', with: 'bob', permissions: 1 },
    { owner: 'alice', path: '/s/sub', type: 'user', with: 'bob', permissions: 31 },
    { owner: 'alice', path: '/s/x.txt', type: 'user', with: 'bob', permissions: 1 },
    { owner: 'alice', path: '/s/group.txt', type: 'group', with: 'team', permissions: 1 },
    { owner: 'alice', path: '/s/link.txt', type: 'link', permissions: 17 },
  ],
};

/** The shares of the recorded lists, in the order in which they were made. */
export const SHARED: FixtureInput = {
  ...BEFORE_SHARES,
  users: [
    ...users,
    { id: 'carol', displayName: 'Carol Example', email: 'carol@cloud.example', password: 'right' },
  ],
  files: {
    ...BEFORE_SHARES.files,
    alice: { ...BEFORE_SHARES.files?.['alice'], '/get.txt': 'hello world\n' },
    carol: {},
  },
  shares: [
    { owner: 'alice', path: '/s/user.txt', type: 'user', with: 'bob', permissions: 1 },
    { owner: 'alice', path: '/s/sub', type: 'user', with: 'bob', permissions: 31 },
    { owner: 'alice', path: '/s/group.txt', type: 'group', with: 'team', permissions: 1 },
    { owner: 'alice', path: '/s/link.txt', type: 'link', permissions: 17 },
    { owner: 'alice', path: '/s/sub', type: 'link', permissions: 17 },
    { owner: 'alice', path: '/s/sub', type: 'link', permissions: 17 },
    { owner: 'alice', path: '/s/sub', type: 'link', permissions: 31 },
    { owner: 'alice', path: '/s/link.txt', type: 'link', permissions: 17 },
    { owner: 'alice', path: '/s/x.txt', type: 'user', with: 'bob', permissions: 1 },
    { owner: 'alice', path: '/s/x.txt', type: 'group', with: 'admin', permissions: 19 },
    { owner: 'alice', path: '/s/x.txt', type: 'user', with: 'carol', permissions: 19 },
  ],
};
