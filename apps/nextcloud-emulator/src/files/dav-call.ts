import type { Emulation } from '../emulation';
import type { Exchange } from '../http/exchange';
import { entryAt } from '../world/mounted-files';
import type { Entry } from '../world/mounted-files';
import type { FolderNode } from '../world/world';
import { notFound } from './dav-failure';
import { encodeHref } from './dav-names';

/** A call below `/remote.php/dav/`. */
export interface DavCall {
  readonly emulation: Emulation;
  readonly exchange: Exchange;
  /** The acting user. */
  readonly uid: string;
}

/** A call below `/remote.php/dav/files/`. */
export interface FilesCall extends DavCall {
  /** Whose files are addressed. */
  readonly owner: string;
  /** Decoded path in those files, `/` for the root. */
  readonly path: string;
}

/** The addressed file or folder. Another person's tree has nothing in it, though its root exists. */
export function demandEntry(call: FilesCall): Entry {
  const entry = findEntry(call);
  if (entry) return entry;
  const name = call.path.replace(/^\//, '');
  throw notFound(
    call.owner === call.uid
      ? `File with name /${call.path} could not be located`
      : `File not found: ${name} in '${call.owner}'`,
  );
}

export function findEntry(call: FilesCall): Entry | undefined {
  return call.owner === call.uid ? entryAt(call.emulation.world, call.uid, call.path) : undefined;
}

export function rootOf(call: FilesCall): FolderNode {
  const root = call.emulation.world.files.get(call.owner);
  if (!root) throw notFound(`Principal with name ${call.owner} not found`);
  return root;
}

/** The href of an entry in the owner's files; a folder's ends in a slash. */
export function hrefOf(call: Pick<FilesCall, 'emulation' | 'owner'>, entry: Entry): string {
  const slash = entry.node.kind === 'folder' && entry.path !== '/' ? '/' : '';
  return encodeHref(`${call.emulation.webRoot}/remote.php/dav/files/${call.owner}${entry.path}${slash}`);
}
