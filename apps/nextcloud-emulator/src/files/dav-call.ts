import type { Emulation } from '../emulation';
import type { Exchange } from '../http/exchange';
import { findNode } from '../world/file-tree';
import type { FolderNode, TreeNode } from '../world/world';
import { notFound } from './dav-failure';
import { encodeHref } from './dav-names';

/** A call below `/remote.php/dav/files/`. */
export interface FilesCall {
  readonly emulation: Emulation;
  readonly exchange: Exchange;
  /** The acting user. */
  readonly uid: string;
  /** Whose files are addressed. */
  readonly owner: string;
  /** Decoded path in those files, `/` for the root. */
  readonly path: string;
}

/** The addressed node. Another person's tree has nothing in it, though its root exists. */
export function demandNode(call: FilesCall): TreeNode {
  const own = call.owner === call.uid;
  const node = own ? findNode(rootOf(call), call.path) : undefined;
  if (node) return node;
  const name = call.path.replace(/^\//, '');
  throw notFound(
    own ? `File with name /${call.path} could not be located` : `File not found: ${name} in '${call.owner}'`,
  );
}

export function rootOf(call: FilesCall): FolderNode {
  const root = call.emulation.world.files.get(call.owner);
  if (!root) throw notFound(`Principal with name ${call.owner} not found`);
  return root;
}

/** The href of a path in the owner's files; a folder's ends in a slash. */
export function hrefOf(call: Pick<FilesCall, 'emulation' | 'owner'>, path: string, node: TreeNode): string {
  const slash = node.kind === 'folder' && path !== '/' ? '/' : '';
  return encodeHref(`${call.emulation.webRoot}/remote.php/dav/files/${call.owner}${path}${slash}`);
}
