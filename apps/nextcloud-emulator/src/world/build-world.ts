import { parseActor } from './actors';
import { attach, findNode, mimetypeOf, newFile, newFolder, segmentsOf } from './file-tree';
import type { Fixture } from './fixture';
import { addShare } from './shares';
import type {
  ExApp,
  FolderNode,
  GroupFolder,
  InstalledVersions,
  Member,
  ParticipantType,
  Room,
  TrashItem,
  User,
  World,
} from './world';

/** Nextcloud's instance ids are `oc` and ten characters. */
const INSTANCE_ID = 'ocemulator01';

/** So old are a fixture's files: a change within the first second then gets a new ETag, as it does in life. */
const FILE_AGE_MS = 3_600_000;

/** Makes the world of a fixture at `nowMs`. */
export function buildWorld(fixture: Fixture, nowMs: number): World {
  const users = new Map(
    fixture.users.map((user): [string, User] => [
      user.id,
      { ...user, displayName: user.displayName ?? user.id },
    ]),
  );
  const files = new Map<string, FolderNode>();
  const groupFolders: GroupFolder[] = [];
  const locks = new Map<number, string>();
  const world: World = {
    instanceId: INSTANCE_ID,
    versions: versionsOf(fixture.nextcloud.version, appsOf(fixture)),
    users,
    exApp: fixture.appApi ? installedApp(fixture.appApi) : null,
    bots: fixture.bots.map((bot, at) => ({
      ...bot,
      id: at + 1,
      description: '',
      features: new Set(bot.features),
      errorCount: 0,
      lastErrorAt: null,
      lastErrorMessage: null,
    })),
    rooms: new Map(
      fixture.rooms.map((room, at): [string, Room] => [room.token, buildRoom(fixture, room, at + 1, users)]),
    ),
    files,
    quotas: new Map(Object.entries(fixture.quotas)),
    trash: new Map([...users.keys()].map((user): [string, TrashItem[]] => [user, []])),
    shares: [],
    groupFolders,
    locks,
    unserved: fixture,
    lastMessageId: 0,
    lastFileId: 0,
    lastChange: 0,
  };
  const writtenMs = nowMs - FILE_AGE_MS;
  for (const user of users.keys())
    files.set(user, buildTree(world, user, fixture.files[user] ?? {}, writtenMs));
  for (const { mount, groups, files: entries } of fixture.groupFolders) {
    const root = buildTree(world, '', entries, writtenMs);
    const path = `/${segmentsOf(mount).join('/')}`;
    groupFolders.push({ id: groupFolders.length + 1, mount: path, groups, root, trash: [] });
  }
  for (const share of fixture.shares) {
    const node = nodeOf(world, share);
    if (node) addShare(world, { ...share, ownerId: share.owner, node, with: share.with ?? '' }, writtenMs);
  }
  for (const lock of fixture.locks) {
    const node = nodeOf(world, lock);
    if (node) locks.set(node.id, lock.editor);
  }
  return world;
}

/** Of an app that was there already: it is enabled, and nothing is known of where it answers. */
function installedApp({ id, secret }: NonNullable<Fixture['appApi']>): ExApp {
  return {
    ...{ id, secret, url: null, version: '0.0.0', enabled: true, progress: 100, error: '' },
    talkBots: new Map(),
  };
}

/** What the fixture uses is installed, named among its apps or not. */
function appsOf(fixture: Fixture): string[] {
  return [
    ...fixture.nextcloud.apps,
    ...(fixture.groupFolders.length > 0 ? ['groupfolders'] : []),
    ...(fixture.locks.length > 0 ? ['files_lock'] : []),
  ];
}

function nodeOf(world: World, { owner, path }: { owner: string; path: string }) {
  const root = world.files.get(owner);
  return root && findNode(root, path);
}

/** Talk's major number is Nextcloud's minus ten since Nextcloud 27. */
export function versionsOf(nextcloud: string, apps: Iterable<string>): InstalledVersions {
  const [major = 0, minor = 0, patch = 0] = nextcloud.split('.').map(Number);
  return { nextcloud, talk: `${major - 10}.${minor}.${patch}`, apps: new Set(apps) };
}

function buildRoom(
  fixture: Fixture,
  room: Fixture['rooms'][number],
  id: number,
  users: ReadonlyMap<string, User>,
): Room {
  const botIds = room.bots.map((name) => fixture.bots.findIndex((bot) => bot.name === name) + 1);
  return {
    id,
    token: room.token,
    name: room.name,
    type: room.type,
    members: buildMembers(room, users),
    botIds: new Set(botIds),
    messages: [],
  };
}

/** The first local user owns the room; both own a conversation of two. */
function buildMembers(room: Fixture['rooms'][number], users: ReadonlyMap<string, User>): Member[] {
  let hasOwner = false;
  return room.members.map((text, at) => {
    const actor = parseActor(text);
    const local = actor.type === 'users';
    const owner = local && (!hasOwner || room.type === 'one2one');
    hasOwner ||= local;
    const ordinary: ParticipantType = local || actor.type === 'federated_users' ? 3 : 4;
    return {
      attendeeId: at + 1,
      actor,
      displayName: users.get(actor.id)?.displayName ?? guestName(actor.type, actor.id),
      participantType: owner ? 1 : ordinary,
    };
  });
}

/** Until a guest gives a name the attendee has none; a federated user is shown by the local part of the cloud id. */
function guestName(type: string, id: string): string {
  return type === 'federated_users' ? (id.split('@')[0] ?? id) : '';
}

function buildTree(
  world: World,
  owner: string,
  entries: Fixture['files'][string],
  nowMs: number,
): FolderNode {
  const root = newFolder(world, owner, '', nowMs);
  for (const [path, content] of Object.entries(entries)) {
    const segments = segmentsOf(path);
    const name = content === null ? undefined : segments.pop();
    const folder = segments.reduce((parent, segment) => childFolder(world, parent, segment, nowMs), root);
    if (name === undefined || content === null) continue;
    const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content.base64, 'base64');
    const mimetype = (typeof content === 'string' ? undefined : content.mimetype) ?? mimetypeOf(name);
    attach(folder, newFile(world, owner, name, bytes, mimetype, nowMs), name);
  }
  return root;
}

function childFolder(world: World, parent: FolderNode, name: string, nowMs: number): FolderNode {
  const existing = parent.children.get(name);
  if (existing?.kind === 'folder') return existing;
  const folder = newFolder(world, parent.ownerId, name, nowMs);
  attach(parent, folder, name);
  return folder;
}
