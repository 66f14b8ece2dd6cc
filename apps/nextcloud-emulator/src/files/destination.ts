import { headerOf } from '../http/exchange';
import { entryAt, lastSegment, parentPath } from '../world/mounted-files';
import type { Entry } from '../world/mounted-files';
import type { FolderNode } from '../world/world';
import type { DavCall, FilesCall } from './dav-call';
import { badRequest, conflict, DavFailure, forbidden } from './dav-failure';
import { decodePath } from './decode-path';

/** Where a COPY or MOVE goes to. */
export interface Destination {
  readonly path: string;
  readonly name: string;
  readonly parent: Entry;
  readonly folder: FolderNode;
  /** What is there already and will be replaced. */
  readonly existing: Entry | undefined;
}

/** Segments of the header `Destination` below `/remote.php/dav/`. Its host is not looked at. @throws {DavFailure} */
function destinationSegments(call: DavCall): string[] {
  const header = headerOf(call.exchange, 'destination');
  if (header === '') throw badRequest('The destination header was not supplied');
  const { pathname } = new URL(header, 'http://nextcloud.invalid');
  const base = `${call.emulation.webRoot}/remote.php/dav/`;
  if (!pathname.startsWith(base)) throw forbidden(`Requested uri (${pathname}) is out of base uri (${base})`);
  return decodePath(pathname.slice(base.length));
}

/** The header `Overwrite`; without it the target is replaced. */
function mayOverwrite(call: DavCall): boolean {
  const header = headerOf(call.exchange, 'overwrite').toUpperCase() || 'T';
  if (header !== 'T' && header !== 'F') throw badRequest('The HTTP Overwrite header should be either T or F');
  return header === 'T';
}

/** The checks of a target in the order of the server's. @throws {DavFailure} 400, 403, 409, 412, 415 */
export function readDestination(call: FilesCall, sourceKind: 'file' | 'folder'): Destination {
  const [tree, owner = '', ...rest] = destinationSegments(call);
  const overwrite = mayOverwrite(call);
  if (tree !== 'files' || rest.length === 0) throw forbidden();
  const path = `/${rest.join('/')}`;
  const name = lastSegment(path);
  if (owner !== call.uid) throw intoForeignTree(call, owner, rest, sourceKind);
  const { world } = call.emulation;
  const parent = entryAt(world, call.uid, parentPath(path));
  if (!parent) throw conflict('The destination node is not found');
  if (parent.node.kind !== 'folder') {
    const exception = 'Sabre\\DAV\\Exception\\UnsupportedMediaType';
    throw new DavFailure(415, exception, 'The destination node is not a collection');
  }
  const existing = entryAt(world, call.uid, path);
  if (existing && !overwrite) throw notReplaced();
  if (path === call.path) throw forbidden('Source and destination uri are identical.');
  if (path.startsWith(`${call.path}/`))
    throw conflict('The destination may not be part of the same subtree as the source path.');
  return { path, name, parent, folder: parent.node, existing };
}

function notReplaced(): DavFailure {
  return new DavFailure(
    412,
    'Sabre\\DAV\\Exception\\PreconditionFailed',
    'The destination node already exists, and the overwrite header is set to false',
    {},
    'Overwrite',
  );
}

/**
 * The target of a MOVE that restores something: its name is ignored. Recorded: a target always counts as taken, so
 * `Overwrite: F` is 412, while without it the answer is 201. @throws {DavFailure} 400, 403, 412
 */
export function checkRestoreTarget(call: DavCall, tree: 'trashbin' | 'versions'): void {
  const [toTree, owner, folder, name] = destinationSegments(call);
  const overwrite = mayOverwrite(call);
  if (toTree === 'files') throw badRequest('Incompatible node types');
  if (toTree !== tree || owner !== call.uid || folder !== 'restore' || name === undefined) throw forbidden();
  if (!overwrite) throw notReplaced();
}

/** Another person's root takes nothing, and nothing else of it can be seen. */
function intoForeignTree(
  call: FilesCall,
  owner: string,
  rest: readonly string[],
  sourceKind: 'file' | 'folder',
): DavFailure {
  if (rest.length > 1 || !call.emulation.world.users.has(owner))
    return conflict('The destination node is not found');
  return sourceKind === 'folder'
    ? forbidden('Permission denied to create directory')
    : forbidden(`Permission denied to create file (filename ${rest[0]})`);
}
