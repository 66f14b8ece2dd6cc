import type { OutgoingHttpHeaders } from 'node:http';
import type { Reply } from '../http/exchange';
import { headerOf } from '../http/exchange';
import { createFile, overwriteFile } from '../world/change-files';
import { entryAt, lastSegment, parentPath } from '../world/mounted-files';
import type { Entry } from '../world/mounted-files';
import { isAtLeast, PERMISSION } from '../world/world';
import type { FileNode } from '../world/world';
import { checkName } from './check-name';
import { demandEntry, findEntry } from './dav-call';
import type { FilesCall } from './dav-call';
import { badRequest, conflict, DavFailure, forbidden } from './dav-failure';
import { allows, davPermissions } from './dav-permissions';
import { demandUnlocked } from './locks';
import { checkPreconditions } from './preconditions';
import { demandSpace } from './quota';
import { changed, etagHeaders, fileIdHeader } from './written';

/** Nextcloud takes no time before the second day of 1970. */
const MIN_MTIME = 86_400;

/** PUT: creates a file or replaces its content. */
export async function putFile(call: FilesCall): Promise<Reply> {
  const content = await call.exchange.readBody();
  // From here on nothing waits: what is checked is still so when it is written.
  const entry = findEntry(call);
  checkPreconditions(call.exchange, entry?.node);
  if (headerOf(call.exchange, 'content-range') !== '')
    throw badRequest('Content-Range on PUT requests are forbidden.');
  if (entry && entry.node.kind !== 'file') throw conflict('PUT is not allowed on non-files.');
  const mtime = readMtime(call);
  const existing = entry?.node.kind === 'file' ? entry.node : undefined;
  const file =
    existing && entry ? replace(call, entry, existing, content, mtime) : create(call, content, mtime);
  return changed(existing ? 204 : 201, {
    ...(mtime !== undefined && { 'X-OC-MTime': 'accepted' }),
    ...fileIdHeader(call.emulation.world, file),
    ...etagHeaders(file),
    ...ownerHeaders(call),
  });
}

function replace(
  call: FilesCall,
  entry: Entry,
  file: FileNode,
  content: Buffer,
  mtime: number | undefined,
): FileNode {
  const { world } = call.emulation;
  demandSpace(call, file.ownerId, content.length, entry.path);
  if (!allows(entry, PERMISSION.update)) throw forbidden();
  demandUnlocked(world, file);
  overwriteFile(world, file, content, call.emulation.now(), mtime);
  return file;
}

function create(call: FilesCall, content: Buffer, mtime: number | undefined): FileNode {
  const name = lastSegment(call.path);
  const parent = parentOf(call);
  if (parent.node.kind !== 'folder') throw conflict('Files can only be created as children of collections');
  demandSpace(call, parent.node.ownerId, content.length, `${parent.path}/${name}`);
  if (!allows(parent, PERMISSION.create)) throw forbidden();
  checkName(name);
  return createFile(call.emulation.world, parent.node, name, content, call.emulation.now(), mtime);
}

/** A missing parent is 404 in the recordings of 24 and 409 later; the release between is not known, here it is 25. */
function parentOf(call: FilesCall): Entry {
  const { world } = call.emulation;
  const path = parentPath(call.path);
  const name = lastSegment(call.path);
  if (call.owner !== call.uid && path === '/')
    throw forbidden(`Permission denied to create file (filename ${name})`);
  const parent = call.owner === call.uid ? entryAt(world, call.uid, path) : undefined;
  if (parent) return parent;
  if (!isAtLeast(world.versions, 25) || call.owner !== call.uid) return demandEntry({ ...call, path });
  throw conflict(`File with name /${path} could not be located`);
}

/** `X-OC-Mtime`, the time that the client gives the file, in seconds. */
function readMtime(call: FilesCall): number | undefined {
  const header = headerOf(call.exchange, 'x-oc-mtime');
  if (header === '') return undefined;
  if (!/^\d+$/.test(header)) throw badMtime('an integer (unix timestamp)');
  const mtime = Number(header);
  if (mtime <= MIN_MTIME) throw badMtime('a valid positive unix timestamp');
  return mtime;
}

function badMtime(expected: string): DavFailure {
  return new DavFailure(500, 'InvalidArgumentException', `X-OC-MTime header must be ${expected}.`);
}

/** Seen in newer sources; the release is not known, here it is 32. */
function ownerHeaders(call: FilesCall): OutgoingHttpHeaders {
  const { versions } = call.emulation.world;
  const entry = isAtLeast(versions, 32) ? findEntry(call) : undefined;
  return entry ? { 'X-NC-Permissions': davPermissions(versions, entry) } : {};
}
