import { sizeOf } from '../world/file-tree';
import type { Entry } from '../world/mounted-files';
import { badRequest } from './dav-failure';
import { clark, DAV, OWNCLOUD } from './dav-names';
import type { Comparison, Condition } from './search-query';

type Searchable = (entry: Candidate) => string | number;

/** What a search looks at. */
export type Candidate = Pick<Entry, 'name' | 'node'>;

const SEARCHABLE: ReadonlyMap<string, Searchable> = new Map<string, Searchable>([
  [clark(DAV, 'displayname'), ({ name }) => name],
  [
    clark(DAV, 'getcontenttype'),
    ({ node }) => (node.kind === 'file' ? node.mimetype : 'httpd/unix-directory'),
  ],
  [clark(DAV, 'getlastmodified'), ({ node }) => node.modifiedAt],
  [clark(OWNCLOUD, 'size'), ({ node }) => sizeOf(node)],
  [clark(OWNCLOUD, 'fileid'), ({ node }) => node.id],
  [clark(OWNCLOUD, 'favorite'), () => 'no'],
  [clark(OWNCLOUD, 'owner-id'), ({ node }) => node.ownerId],
]);

/** The value by which a node is searched and sorted. @throws {DavFailure} 400 for what cannot be searched */
export function searchValue(entry: Candidate, property: string): string | number {
  const read = SEARCHABLE.get(property);
  if (!read) throw badRequest(`Property ${property} is not searchable`);
  return read(entry);
}

export function matches(entry: Candidate, condition: Condition): boolean {
  switch (condition.kind) {
    case 'and':
      return condition.of.every((one) => matches(entry, one));
    case 'or':
      return condition.of.some((one) => matches(entry, one));
    case 'not':
      return !matches(entry, condition.of);
    case 'is-collection':
      return entry.node.kind === 'folder';
    default:
      return compare(searchValue(entry, condition.property), condition.kind, condition.literal);
  }
}

function compare(value: string | number, comparison: Comparison, literal: string): boolean {
  if (comparison === 'like') return likePattern(literal).test(String(value));
  const wanted = typeof value === 'number' ? toNumber(literal) : literal;
  switch (comparison) {
    case 'eq':
      return value === wanted;
    case 'lt':
      return value < wanted;
    case 'lte':
      return value <= wanted;
    case 'gt':
      return value > wanted;
    case 'gte':
      return value >= wanted;
  }
}

/** A plain number, or a date in ISO 8601 as seconds. */
function toNumber(literal: string): number {
  const number = Number(literal);
  return Number.isNaN(number) ? Date.parse(literal) / 1000 : number;
}

/** SQL's LIKE without regard to case: `%` any characters, `_` one, `\` takes the next one literally. */
function likePattern(literal: string): RegExp {
  const source = literal.normalize('NFC').replace(/\\?[\s\S]/gu, (token) => {
    if (token === '%') return '.*';
    if (token === '_') return '.';
    return token.replace(/^\\(?=[\s\S])/u, '').replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  });
  return new RegExp(`^${source}$`, 'isu');
}
