import type { Emulation } from '../emulation';
import type { Exchange, Reply } from '../http/exchange';
import { InvalidXml, readXml } from '../http/xml-reader';
import type { ReadElement } from '../http/xml-reader';
import { entriesFrom, entryAt } from '../world/mounted-files';
import type { Entry } from '../world/mounted-files';
import { hrefOf } from './dav-call';
import { DavFailure } from './dav-failure';
import { propertyValue } from './file-properties';
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
  const { world } = emulation;
  const folder = scopeOf(emulation, uid, query.scope);
  const found = [...entriesFrom(world, uid, folder)].slice(1).filter((entry) => matches(entry, query.where));
  const hits = sorted(found, query).slice(query.offset, query.offset + query.limit);
  const responses = hits.map((entry) =>
    responseOf(
      hrefOf({ emulation, owner: uid }, entry),
      (name) => propertyValue({ world, uid, entry }, name),
      { names: query.select, foundOnly: false },
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

function scopeOf(emulation: Emulation, uid: string, scope: string): Entry {
  const [tree, owner, ...rest] = scope.split('/').filter((segment) => segment !== '');
  const own = tree === 'files' && owner === uid;
  const folder = own ? entryAt(emulation.world, uid, `/${rest.join('/')}`) : undefined;
  if (folder?.node.kind !== 'folder') {
    // Recorded: another person's scope, and what is no folder, end in an uncaught exception.
    throw new DavFailure(500, 'InvalidArgumentException', 'Search is only supported on directories');
  }
  return folder;
}

function sorted(found: readonly Entry[], query: SearchQuery): Entry[] {
  return [...found].sort((a, b) => {
    for (const { property, descending } of query.orderBy) {
      const [left, right] = [searchValue(a, property), searchValue(b, property)];
      if (left !== right) return (left < right ? -1 : 1) * (descending ? -1 : 1);
    }
    return 0;
  });
}
