import { randomBytes } from 'node:crypto';
import type { Reply } from '../http/exchange';
import { headerOf } from '../http/exchange';
import type { XmlElement } from '../http/xml-writer';
import type { FilesCall } from './dav-call';
import { hasPagination } from './dav-features';
import { multistatus } from './multistatus';

/**
 * Paging of long listings, after nextcloud/server's `apps/dav/lib/Paginate` (read in its source, not recorded):
 * a first request with `X-NC-Paginate` gets a token and the total when there is more than it asked for; the same
 * URL with token and offset then gets stored entries. An unknown token on a request that still carries
 * `X-NC-Paginate` is computed anew, under a new token.
 */
const DEFAULT_COUNT = 100;

/** Listings that wait for their later pages, by URL and token; the oldest are forgotten. */
const MAX_STORED = 100;
const stored = new WeakMap<object, Map<string, readonly XmlElement[]>>();

export function answerPage(call: FilesCall, headers: Record<string, string>): Reply | undefined {
  const token = headerOf(call.exchange, 'x-nc-paginate-token');
  const offset = headerOf(call.exchange, 'x-nc-paginate-offset');
  if (token === '' || offset === '' || !hasPagination(call.emulation.world.versions)) return undefined;
  const entries = storeOf(call).get(keyOf(call, token));
  if (!entries) return undefined;
  const begin = Number.parseInt(offset, 10) || 0;
  return multistatus(entries.slice(begin, begin + countOf(call)), { ...headers, 'X-NC-Paginate': 'true' });
}

export function firstPage(
  call: FilesCall,
  entries: readonly XmlElement[],
  headers: Record<string, string>,
): Reply {
  const asked =
    headerOf(call.exchange, 'x-nc-paginate') !== '' && hasPagination(call.emulation.world.versions);
  if (!asked) return multistatus(entries, headers);
  const begin = Number.parseInt(headerOf(call.exchange, 'x-nc-paginate-offset'), 10) || 0;
  const page = entries.slice(begin, begin + countOf(call));
  if (entries.length <= begin + page.length) return multistatus(page, headers);
  const token = randomBytes(16).toString('hex');
  remember(storeOf(call), keyOf(call, token), entries);
  return multistatus(page, {
    ...headers,
    'X-NC-Paginate': 'true',
    'X-NC-Paginate-Token': token,
    'X-NC-Paginate-Total': String(entries.length),
  });
}

function countOf(call: FilesCall): number {
  return Number.parseInt(headerOf(call.exchange, 'x-nc-paginate-count'), 10) || DEFAULT_COUNT;
}

function keyOf(call: FilesCall, token: string): string {
  return `${call.exchange.path} ${token}`;
}

/** A reset brings a new world, and with it an empty store. */
function storeOf(call: FilesCall): Map<string, readonly XmlElement[]> {
  const { world } = call.emulation;
  const existing = stored.get(world);
  if (existing) return existing;
  const created = new Map<string, readonly XmlElement[]>();
  stored.set(world, created);
  return created;
}

function remember(
  store: Map<string, readonly XmlElement[]>,
  key: string,
  entries: readonly XmlElement[],
): void {
  store.set(key, entries);
  const oldest = store.keys().next();
  if (store.size > MAX_STORED && !oldest.done) store.delete(oldest.value);
}
