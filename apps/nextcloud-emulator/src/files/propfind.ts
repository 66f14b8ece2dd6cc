import type { Reply } from '../http/exchange';
import { headerOf } from '../http/exchange';
import { childNamed, InvalidXml, readXml } from '../http/xml-reader';
import { childPath, childrenOf, walk } from '../world/file-tree';
import type { TreeNode } from '../world/world';
import { demandNode, hrefOf, rootOf } from './dav-call';
import type { FilesCall } from './dav-call';
import { badRequest } from './dav-failure';
import { clark, DAV } from './dav-names';
import { davHeader } from './dav-features';
import { DEFAULT_PROPERTIES } from './file-properties';
import { multistatus, responseOf } from './multistatus';
import { answerPage, firstPage } from './paginate';

interface AskedProperties {
  readonly names: readonly string[];
  /** An empty body asks for whatever there is, so nothing is reported as missing. */
  readonly foundOnly: boolean;
}

/** A folder or file and, by `Depth`, what is below it; without the header that is one level. */
export async function propfind(call: FilesCall): Promise<Reply> {
  const asked = readAsked((await call.exchange.readBody()).toString('utf8'));
  const headers = { DAV: davHeader(call.emulation.world.versions) };
  const laterPage = answerPage(call, headers);
  if (laterPage) return laterPage;
  if (call.owner !== call.uid && call.path === '/') return foreignRoot(call, asked, headers);
  const found = selectByDepth(demandNode(call), call.path, headerOf(call.exchange, 'depth'));
  const responses = found.map(({ node, path }) => {
    const subject = { world: call.emulation.world, node, isRoot: path === '/' };
    return responseOf(hrefOf(call, path, node), subject, asked.names, asked.foundOnly);
  });
  return firstPage(call, responses, headers);
}

function selectByDepth(node: TreeNode, path: string, depth: string): { node: TreeNode; path: string }[] {
  const base = path.length > 1 ? path.replace(/\/$/, '') : '/';
  if (depth === 'infinity') return [...walk(node, base)];
  if (depth === '0' || node.kind === 'file') return [{ node, path: base }];
  const children = childrenOf(node).map((child) => ({ node: child, path: childPath(base, child.name) }));
  return [{ node, path: base }, ...children];
}

/** The root of another person who exists looks like an empty folder: no proof of access. */
function foreignRoot(call: FilesCall, asked: AskedProperties, headers: Record<string, string>): Reply {
  const root = rootOf(call);
  const subject = { world: call.emulation.world, node: root, isRoot: true };
  const names = asked.foundOnly ? [clark(DAV, 'resourcetype')] : asked.names;
  return multistatus([responseOf(hrefOf(call, '/', root), subject, names, asked.foundOnly)], headers);
}

function readAsked(body: string): AskedProperties {
  if (body.trim() === '') return { names: DEFAULT_PROPERTIES, foundOnly: true };
  try {
    const root = readXml(body);
    const prop = childNamed(root, DAV, 'prop');
    if (!prop) return { names: DEFAULT_PROPERTIES, foundOnly: true };
    return { names: prop.children.map((child) => clark(child.namespace, child.name)), foundOnly: false };
  } catch (error) {
    if (error instanceof InvalidXml) throw badRequest(error.message);
    throw error;
  }
}
