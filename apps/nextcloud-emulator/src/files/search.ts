import type { Emulation } from '../emulation';
import type { Exchange, Reply } from '../http/exchange';
import { InvalidXml, readXml } from '../http/xml-reader';
import type { ReadElement } from '../http/xml-reader';
import { findNode, walk } from '../world/file-tree';
import type { FolderNode, TreeNode } from '../world/world';
import { hrefOf } from './dav-call';
import { DavFailure } from './dav-failure';
import { matches, searchValue } from './match-node';
import { multistatus, responseOf } from './multistatus';
import { readSearchQuery } from './search-query';
import type { SearchQuery } from './search-query';

/** SEARCH on the DAV root, among the acting user's own files. */
export async function search(emulation: Emulation, exchange: Exchange, uid: string): Promise<Reply> {
  const body = (await exchange.readBody()).toString('utf8');
  const parsed = parse(body);
  if (!parsed) {
    // Recorded: a body that does not parse gets 400 with a plain text called HTML.
    return {
      status: 400,
      headers: { 'Content-Type': 'text/html; charset=UTF-8' },
      body: 'Parse error: the body is not XML',
    };
  }
  const query = readSearchQuery(parsed);
  const { folder, path } = scopeOf(emulation, uid, query.scope);
  const found = [...walk(folder, path)].slice(1).filter(({ node }) => matches(node, query.where));
  const hits = sorted(found, query).slice(query.offset, query.offset + query.limit);
  const responses = hits.map(({ node, path: at }) =>
    responseOf(
      hrefOf({ emulation, owner: uid }, at, node),
      { world: emulation.world, node, isRoot: false },
      query.select,
      false,
    ),
  );
  return multistatus(responses, { 'Content-Type': 'application/xml; charset="utf-8"' });
}

function parse(body: string): ReadElement | undefined {
  try {
    return readXml(body);
  } catch (error) {
    if (error instanceof InvalidXml) return undefined;
    throw error;
  }
}

function scopeOf(emulation: Emulation, uid: string, scope: string): { folder: FolderNode; path: string } {
  const [tree, owner, ...rest] = scope.split('/').filter((segment) => segment !== '');
  const root = emulation.world.files.get(uid);
  const path = `/${rest.join('/')}`;
  const folder = tree === 'files' && owner === uid && root ? findNode(root, path) : undefined;
  if (folder?.kind !== 'folder') {
    // Recorded: another person's scope, and what is no folder, end in an uncaught exception.
    throw new DavFailure(500, 'InvalidArgumentException', 'Search is only supported on directories');
  }
  return { folder, path };
}

function sorted(
  found: { node: TreeNode; path: string }[],
  query: SearchQuery,
): { node: TreeNode; path: string }[] {
  return [...found].sort((a, b) => {
    for (const { property, descending } of query.orderBy) {
      const [left, right] = [searchValue(a.node, property), searchValue(b.node, property)];
      if (left !== right) return (left < right ? -1 : 1) * (descending ? -1 : 1);
    }
    return 0;
  });
}
