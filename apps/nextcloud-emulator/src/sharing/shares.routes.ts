import { actingUser, flagParameter, OcsFailure, textParameter } from '../ocs/ocs-call';
import type { OcsCall, OcsRouter } from '../ocs/ocs-call';
import { entriesIn, entryAt, entryWithId } from '../world/mounted-files';
import type { Entry } from '../world/mounted-files';
import { PERMISSION } from '../world/world';
import type { Share, World } from '../world/world';
import { sharesBy, sharesOf, sharesWith } from './select-shares';
import { shareData } from './share-data';

const SHARES = '/apps/files_sharing/api/v1/shares';

/** The reading half of the sharing API. */
export function addShareRoutes(router: OcsRouter): void {
  router.on('GET', SHARES, { handle: (call) => ({ status: 200, data: listShares(call) }) });
  router.on('GET', `${SHARES}/inherited`, { handle: (call) => ({ status: 200, data: listInherited(call) }) });
  router.on('GET', `${SHARES}/{id}`, { handle: (call) => ({ status: 200, data: [oneShare(call)] }) });
}

/** `path`, `reshares`, `subfiles`, `shared_with_me`; without any, everything that the user has shared. */
function listShares(call: OcsCall): Record<string, unknown>[] {
  const uid = actingUser(call);
  const entry = call.parameters['path'] === undefined ? undefined : demandEntry(call, uid);
  return selectShares(call, uid, entry).map((share) => shareData(call.emulation, share, uid));
}

function selectShares(call: OcsCall, uid: string, entry: Entry | undefined): Share[] {
  const { world } = call.emulation;
  if (flagParameter(call, 'shared_with_me'))
    return sharesWith(world, uid).filter((share) => !entry || share.node === entry.node);
  if (!entry) return sharesBy(world, uid);
  const everybodys = flagParameter(call, 'reshares');
  if (!flagParameter(call, 'subfiles')) return sharesSeenBy(world, uid, entry, everybodys);
  if (entry.node.kind !== 'folder') throw new OcsFailure(400, 'Not a directory');
  return entriesIn(world, uid, entry).flatMap((child) => sharesSeenBy(world, uid, child, everybodys));
}

/**
 * The user's own shares of it; with `reshares` those of everybody, if the user may share it on. The share through
 * which the user alone has it is not among them.
 */
function sharesSeenBy(world: World, uid: string, entry: Entry, everybodys: boolean): Share[] {
  const others = everybodys && (entry.permissions & PERMISSION.share) !== 0;
  return sharesOf(world, entry.node).filter(
    (share) => (others || share.ownerId === uid) && !(share.type === 'user' && share.with === uid),
  );
}

/** Shares of the folders above, seen as their owner sees them, each with the folder through which it comes. */
function listInherited(call: OcsCall): Record<string, unknown>[] {
  const { world } = call.emulation;
  const uid = actingUser(call);
  const entry = demandEntry(call, uid);
  if ((entry.permissions & PERMISSION.share) === 0)
    throw new OcsFailure(403, 'no sharing rights on this item');
  // A folder above the mount is out of the user's sight: the last one in sight stands for it.
  let seen = entry;
  const found: Record<string, unknown>[] = [];
  for (let folder = entry.node.parent; folder?.parent; folder = folder.parent) {
    seen = entryWithId(world, uid, folder.id) ?? seen;
    const via = { via_fileid: seen.node.id, via_path: seen.path };
    found.push(
      ...sharesOf(world, folder).map((share) => ({ ...shareData(call.emulation, share, uid), ...via })),
    );
  }
  return found;
}

function oneShare(call: OcsCall): Record<string, unknown> {
  const uid = actingUser(call);
  const known = [...sharesBy(call.emulation.world, uid), ...sharesWith(call.emulation.world, uid)];
  const share = known.find(({ id }) => String(id) === call.path['id']);
  if (!share) throw new OcsFailure(404, "Wrong share ID, share doesn't exist");
  return shareData(call.emulation, share, uid);
}

function demandEntry(call: OcsCall, uid: string): Entry {
  const entry = entryAt(call.emulation.world, uid, textParameter(call, 'path'));
  if (!entry) throw new OcsFailure(404, 'Wrong path, file/folder does not exist');
  return entry;
}
