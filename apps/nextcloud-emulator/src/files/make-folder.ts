import type { Reply } from '../http/exchange';
import { createFolder } from '../world/change-files';
import { entryAt, lastSegment, parentPath } from '../world/mounted-files';
import { PERMISSION } from '../world/world';
import { checkName } from './check-name';
import { findEntry } from './dav-call';
import type { FilesCall } from './dav-call';
import { conflict, DavFailure, forbidden } from './dav-failure';
import { ALLOWED_METHODS } from './dav-features';
import { allows } from './dav-permissions';
import { checkPreconditions } from './preconditions';
import { changed, fileIdHeader } from './written';

/** MKCOL; bodies, which would set properties, are not taken. */
export async function makeFolder(call: FilesCall): Promise<Reply> {
  const body = await call.exchange.readBody();
  const existing = findEntry(call);
  checkPreconditions(call.exchange, existing?.node);
  if (body.length > 0) {
    const exception = 'Sabre\\DAV\\Exception\\UnsupportedMediaType';
    throw new DavFailure(
      415,
      exception,
      'The request body for the MKCOL request must have an xml Content-Type',
    );
  }
  if (existing || call.path === '/') throw alreadyThere();
  const parent = parentOf(call);
  if (!allows(parent, PERMISSION.create)) throw forbidden();
  const name = lastSegment(call.path);
  checkName(name);
  const { world } = call.emulation;
  const folder = createFolder(world, parent.folder, name, call.emulation.now());
  return changed(201, fileIdHeader(world, folder));
}

function parentOf(call: FilesCall) {
  const path = parentPath(call.path);
  if (call.owner !== call.uid && path === '/') throw forbidden('Permission denied to create directory');
  const parent = call.owner === call.uid ? entryAt(call.emulation.world, call.uid, path) : undefined;
  if (!parent) throw conflict('Parent node does not exist');
  if (parent.node.kind !== 'folder') throw conflict('Parent node is not a collection');
  return { ...parent, folder: parent.node };
}

function alreadyThere(): DavFailure {
  return new DavFailure(
    405,
    'Sabre\\DAV\\Exception\\MethodNotAllowed',
    'The resource you tried to create already exists',
    { Allow: ALLOWED_METHODS },
  );
}
