import type { z } from 'zod';
import type { Fixture } from './fixture';

type Context = z.core.$RefinementCtx<Fixture>;
type Place = (string | number)[];

/** Checks what the shape alone cannot say: names that refer to something, and names that must not come twice. */
export function checkReferences(fixture: Fixture, context: Context): void {
  const users = new Set(fixture.users.map((user) => user.id));
  const report = (path: Place, message: string) => context.addIssue({ code: 'custom', path, message });
  const demandUser = (id: string, path: Place) => {
    if (!users.has(id)) report(path, `there is no user "${id}" in users`);
  };

  demandUnique(
    fixture.users,
    (user) => user.id,
    (at) => report(['users', at, 'id'], 'this user id is there twice'),
  );
  demandUnique(
    fixture.bots,
    (bot) => bot.name,
    (at) => report(['bots', at, 'name'], 'this bot name is there twice'),
  );
  demandUnique(
    fixture.bots,
    (bot) => bot.secret,
    (at) => report(['bots', at, 'secret'], 'Talk refuses a secret that another bot has'),
  );
  demandUnique(
    fixture.bots,
    (bot) => bot.url,
    (at) => report(['bots', at, 'url'], 'Talk refuses a URL that another bot has'),
  );
  demandUnique(
    fixture.rooms,
    (room) => room.token,
    (at) => report(['rooms', at, 'token'], 'this token is there twice'),
  );

  checkRooms(fixture, demandUser, report);
  for (const [owner, entries] of Object.entries(fixture.files)) {
    demandUser(owner, ['files', owner]);
    checkFiles(entries, ['files', owner], report);
  }
  fixture.groupFolders.forEach(({ files }, at) => checkFiles(files, ['groupFolders', at, 'files'], report));
  checkShares(fixture, demandUser, report);
  fixture.calendars.forEach((calendar, at) => demandUser(calendar.owner, ['calendars', at, 'owner']));
  fixture.locks.forEach((lock, at) => {
    demandUser(lock.owner, ['locks', at, 'owner']);
    if (users.has(lock.owner)) demandPath(fixture, lock, ['locks', at, 'path'], report);
  });
  Object.keys(fixture.quotas).forEach((id) => demandUser(id, ['quotas', id]));
}

function demandUnique<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  report: (at: number) => void,
): void {
  const seen = new Set<string>();
  items.forEach((item, at) => {
    const key = keyOf(item);
    if (seen.has(key)) report(at);
    seen.add(key);
  });
}

function checkRooms(
  fixture: Fixture,
  demandUser: (id: string, path: Place) => void,
  report: (path: Place, message: string) => void,
): void {
  const bots = new Set(fixture.bots.map((bot) => bot.name));
  fixture.rooms.forEach((room, at) => {
    room.members.forEach((member, position) => {
      if (member.startsWith('users/'))
        demandUser(member.slice('users/'.length), ['rooms', at, 'members', position]);
    });
    room.bots.forEach((name, position) => {
      if (!bots.has(name)) report(['rooms', at, 'bots', position], `there is no bot "${name}" in bots`);
    });
  });
}

function checkFiles(
  entries: Fixture['files'][string],
  place: Place,
  report: (path: Place, message: string) => void,
): void {
  const files = new Set(Object.keys(entries).filter((path) => !path.endsWith('/')));
  for (const [path, content] of Object.entries(entries)) {
    if (path.endsWith('/') !== (content === null)) {
      report([...place, path], 'a folder ends in "/" and has the content null, a file neither');
    }
    const parents = path
      .split('/')
      .slice(1, -1)
      .map((_, depth, parts) => `/${parts.slice(0, depth + 1).join('/')}`);
    if (parents.some((parent) => files.has(parent))) report([...place, path], 'one of its folders is a file');
  }
}

function checkShares(
  fixture: Fixture,
  demandUser: (id: string, path: Place) => void,
  report: (path: Place, message: string) => void,
): void {
  const rooms = new Set(fixture.rooms.map((room) => room.token));
  fixture.shares.forEach((share, at) => {
    demandUser(share.owner, ['shares', at, 'owner']);
    demandPath(fixture, share, ['shares', at, 'path'], report);
    const place = ['shares', at, 'with'];
    if (share.type === 'link') return;
    if (share.with === undefined) report(place, `a share of the type "${share.type}" needs "with"`);
    else if (share.type === 'user') demandUser(share.with, place);
    else if (share.type === 'room' && !rooms.has(share.with))
      report(place, `there is no room "${share.with}" in rooms`);
  });
}

/** A shared or locked path has to be among the owner's files, itself or as a folder of one. */
function demandPath(
  fixture: Fixture,
  { owner, path }: { owner: string; path: string },
  place: Place,
  report: (path: Place, message: string) => void,
): void {
  const wanted = path.replace(/\/$/, '');
  const known = Object.keys(fixture.files[owner] ?? {});
  if (!known.some((one) => one === wanted || one.startsWith(`${wanted}/`)))
    report(place, `"${owner}" has no "${path}" in files`);
}
