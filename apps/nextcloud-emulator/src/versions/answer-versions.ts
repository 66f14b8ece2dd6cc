import type { DavCall } from '../files/dav-call';
import { forbidden, notFound, notImplemented } from '../files/dav-failure';
import { allows } from '../files/dav-permissions';
import { checkRestoreTarget } from '../files/destination';
import { attachment, contentType } from '../files/get-file';
import { demandUnlocked } from '../files/locks';
import { changed } from '../files/written';
import type { Reply } from '../http/exchange';
import { removeVersion, rollBack } from '../world/change-files';
import { entryWithId } from '../world/mounted-files';
import { isAtLeast, PERMISSION } from '../world/world';
import { listVersions, versionsOf } from './list-versions';
import type { SeenVersion, VersionedFile } from './list-versions';

/** Answers `/remote.php/dav/versions/{owner}/versions/{fileId}/…`: of every file that the acting user has. */
export async function answerVersions(
  call: DavCall,
  owner: string | undefined,
  [folder, fileId, name]: string[],
): Promise<Reply> {
  if (owner !== call.uid) throw forbidden();
  if (folder !== 'versions' || fileId === undefined) throw unanswered(call);
  const file = findFile(call, fileId);
  const { method } = call.exchange;
  if (name === undefined) {
    if (method === 'PROPFIND') return listVersions(call, file, undefined);
    throw unanswered(call);
  }
  const version = versionsOf(call, file).find(({ timestamp }) => String(timestamp) === name);
  if (!version) throw notFound('');
  switch (method) {
    case 'PROPFIND':
      return listVersions(call, file, version);
    case 'GET':
    case 'HEAD':
      return getVersion(file, version);
    case 'MOVE':
      return restore(call, file, version);
    case 'DELETE':
      return remove(call, file, version);
    default:
      throw unanswered(call);
  }
}

function findFile(call: DavCall, fileId: string): VersionedFile {
  const entry = entryWithId(call.emulation.world, call.uid, Number(fileId));
  if (entry?.node.kind !== 'file') throw notFound('');
  return { entry, file: entry.node };
}

/** Recorded: the ETag of a version is its time, without quotes. The current content has no file among the versions. */
function getVersion({ entry, file }: VersionedFile, version: SeenVersion): Reply {
  if (version.isCurrent) throw notFound('');
  return {
    status: 200,
    headers: {
      'Content-Type': contentType(file.mimetype),
      'Content-Length': version.content.length,
      ETag: String(version.timestamp),
      'Content-Disposition': attachment(entry.name),
    },
    body: version.content,
  };
}

/** The current content becomes a version, the restored one leaves the list. */
function restore(call: DavCall, { entry, file }: VersionedFile, version: SeenVersion): Reply {
  checkRestoreTarget(call, 'versions');
  if (!allows(entry, PERMISSION.update))
    throw forbidden(
      'You cannot restore this version because you do not have update permissions on the source file.',
    );
  const { world } = call.emulation;
  demandUnlocked(world, file);
  if (!version.isCurrent) rollBack(world, file, version.timestamp, call.emulation.now());
  return changed(201);
}

/** Up to 25 a version cannot be deleted. */
function remove(call: DavCall, { entry, file }: VersionedFile, version: SeenVersion): Reply {
  if (!isAtLeast(call.emulation.world.versions, 26) || version.isCurrent) throw forbidden();
  if (!allows(entry, PERMISSION.delete))
    throw forbidden(
      'You cannot delete this version because you do not have delete permissions on the source file.',
    );
  removeVersion(file, version.timestamp);
  return changed(204);
}

function unanswered(call: DavCall) {
  return notImplemented(`The emulator does not answer ${call.exchange.method} here among the versions yet`);
}
