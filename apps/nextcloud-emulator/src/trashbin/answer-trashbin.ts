import { attachment, contentType } from '../files/get-file';
import type { DavCall } from '../files/dav-call';
import { forbidden, notFound, notImplemented } from '../files/dav-failure';
import { checkRestoreTarget } from '../files/destination';
import { demandSpace } from '../files/quota';
import { changed } from '../files/written';
import type { Reply } from '../http/exchange';
import { sizeOf } from '../world/file-tree';
import { purgeItem, restoreItem, trashOf } from '../world/trash';
import { isAtLeast } from '../world/world';
import { listTrash } from './list-trash';
import { findTrashed } from './trashed-node';
import type { Trashed } from './trashed-node';

/** Newer servers keep this much free when they restore. */
const RESTORE_MARGIN = 65_536;

/** Answers `/remote.php/dav/trashbin/{owner}/…`: the user's own trash only. */
export async function answerTrashbin(
  call: DavCall,
  owner: string | undefined,
  [folder, ...path]: string[],
): Promise<Reply> {
  if (owner !== call.uid) throw forbidden();
  if (folder !== 'trash')
    throw folder === undefined || folder === 'restore' ? unanswered(call) : notFound('');
  const { method } = call.exchange;
  if (path.length === 0) {
    if (method === 'PROPFIND') return listTrash(call, undefined);
    if (method === 'DELETE') return emptyTrash(call);
    throw unanswered(call);
  }
  const trashed = findTrashed(call.emulation.world, call.uid, path);
  if (!trashed) throw notFound('');
  switch (method) {
    case 'PROPFIND':
      return listTrash(call, trashed);
    case 'GET':
    case 'HEAD':
      return getTrashed(call, trashed);
    case 'DELETE':
      return purge(call, trashed);
    case 'MOVE':
      return restore(call, trashed);
    default:
      throw unanswered(call);
  }
}

function emptyTrash({ emulation, uid }: DavCall): Reply {
  for (const item of trashOf(emulation.world, uid)) purgeItem(item);
  return changed(204);
}

function purge(call: DavCall, { item, path }: Trashed): Reply {
  if (path.length > 1) throw unanswered(call);
  purgeItem(item);
  return changed(204);
}

function restore(call: DavCall, { item, path }: Trashed): Reply {
  checkRestoreTarget(call, 'trashbin');
  if (path.length > 1) throw unanswered(call);
  const { node } = item.item;
  const { world } = call.emulation;
  const margin = isAtLeast(world.versions, 30) ? RESTORE_MARGIN : 0;
  demandSpace(call, node.ownerId, sizeOf(node) + margin, `/${item.location}`);
  restoreItem(world, call.uid, item, call.emulation.now());
  return changed(201);
}

function getTrashed(call: DavCall, { node }: Trashed): Reply {
  if (node.kind !== 'file') throw unanswered(call);
  return {
    status: 200,
    headers: {
      'Content-Type': contentType(node.mimetype),
      'Content-Length': node.content.length,
      'Content-Disposition': attachment(node.name),
    },
    body: node.content,
  };
}

function unanswered(call: DavCall) {
  return notImplemented(`The emulator does not answer ${call.exchange.method} here in the trash yet`);
}
