import { readAsked } from '../files/asked-properties';
import type { DavCall } from '../files/dav-call';
import { davHeader } from '../files/dav-features';
import { encodeHref } from '../files/dav-names';
import { multistatus, responseOf } from '../files/multistatus';
import { headerOf } from '../http/exchange';
import type { Reply } from '../http/exchange';
import { childrenOf } from '../world/file-tree';
import { trashOf } from '../world/trash';
import { TRASH_PROPERTIES, trashRootValue, trashValue } from './trash-properties';
import type { Trashed } from './trashed-node';

/** PROPFIND of the trash (undefined) or of something in it, with what lies directly in it unless `Depth` is 0. */
export async function listTrash(call: DavCall, trashed: Trashed | undefined): Promise<Reply> {
  const { world } = call.emulation;
  const asked = await readAsked(call.exchange, TRASH_PROPERTIES);
  const inside = headerOf(call.exchange, 'depth') === '0' ? [] : contentOf(call, trashed);
  const top = trashed
    ? responseOf(hrefOf(call, trashed), (name) => trashValue(world, trashed, name), asked)
    : responseOf(rootHref(call), trashRootValue, asked);
  const responses = inside.map((one) =>
    responseOf(hrefOf(call, one), (name) => trashValue(world, one, name), asked),
  );
  return multistatus([top, ...responses], { DAV: davHeader(world.versions) });
}

function contentOf({ emulation, uid }: DavCall, trashed: Trashed | undefined): Trashed[] {
  if (!trashed)
    return trashOf(emulation.world, uid).map((item) => ({ item, node: item.item.node, path: [item.key] }));
  if (trashed.node.kind === 'file') return [];
  return childrenOf(trashed.node).map((node) => ({
    item: trashed.item,
    node,
    path: [...trashed.path, node.name],
  }));
}

function rootHref({ emulation, uid }: DavCall): string {
  return encodeHref(`${emulation.webRoot}/remote.php/dav/trashbin/${uid}/trash/`);
}

function hrefOf(call: DavCall, { node, path }: Trashed): string {
  const slash = node.kind === 'folder' ? '/' : '';
  return rootHref(call) + encodeHref(path.join('/')) + slash;
}
