import { childNamed } from '../http/xml-reader';
import type { ReadElement } from '../http/xml-reader';
import { badRequest } from './dav-failure';
import { clark, DAV } from './dav-names';

const SEARCH_DAV = 'https://github.com/icewind1991/SearchDAV/ns';

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition }
  | { readonly kind: 'is-collection' }
  | { readonly kind: Comparison; readonly property: string; readonly literal: string };

export type Comparison = 'eq' | 'like' | 'lt' | 'lte' | 'gt' | 'gte';

export interface SearchQuery {
  readonly select: readonly string[];
  /** Decoded path below the DAV root, e.g. `/files/alice/Docs`. */
  readonly scope: string;
  readonly where: Condition;
  readonly orderBy: readonly { readonly property: string; readonly descending: boolean }[];
  readonly limit: number;
  readonly offset: number;
}

/** Reads a `d:searchrequest`. @throws {DavFailure} 400 */
export function readSearchQuery(root: ReadElement): SearchQuery {
  const search = demand(root, 'basicsearch');
  const limit = childNamed(search, DAV, 'limit');
  return {
    select: namesIn(demand(demand(search, 'select'), 'prop')),
    scope: readScope(demand(search, 'from')),
    where: readCondition(onlyChild(demand(search, 'where'))),
    orderBy: (childNamed(search, DAV, 'orderby')?.children ?? []).map((order) => ({
      property: propertyOf(order),
      descending: childNamed(order, DAV, 'descending') !== undefined,
    })),
    limit: numberIn(limit && childNamed(limit, DAV, 'nresults'), Infinity),
    // Only this element of SearchDAV's own namespace counts; `d:firstresult` is not looked at.
    offset: numberIn(limit && childNamed(limit, SEARCH_DAV, 'firstresult'), 0),
  };
}

function readScope(from: ReadElement): string {
  const href = demand(demand(from, 'scope'), 'href').text.trim();
  try {
    return decodeURI(href);
  } catch {
    // Malformed percent-encoding names no folder.
    throw badRequest('The scope is not valid percent-encoding');
  }
}

function readCondition(element: ReadElement): Condition {
  switch (element.name) {
    case 'and':
    case 'or':
      return { kind: element.name, of: element.children.map(readCondition) };
    case 'not':
      return { kind: 'not', of: readCondition(onlyChild(element)) };
    case 'is-collection':
      return { kind: 'is-collection' };
    case 'eq':
    case 'like':
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return { kind: element.name, property: propertyOf(element), literal: demand(element, 'literal').text };
    default:
      throw badRequest(`Unknown operator: ${element.name}`);
  }
}

function propertyOf(element: ReadElement): string {
  const property = demand(element, 'prop').children[0];
  if (!property) throw badRequest(`No property in ${element.name}`);
  return clark(property.namespace, property.name);
}

function demand(parent: ReadElement, name: string): ReadElement {
  const found = childNamed(parent, DAV, name);
  if (!found) throw badRequest(`Missing {DAV:}${name} in ${parent.name}`);
  return found;
}

function onlyChild(element: ReadElement): ReadElement {
  const child = element.children[0];
  if (!child) throw badRequest(`Nothing in ${element.name}`);
  return child;
}

function namesIn(prop: ReadElement): string[] {
  return prop.children.map((child) => clark(child.namespace, child.name));
}

function numberIn(element: ReadElement | undefined, fallback: number): number {
  const value = Number.parseInt(element?.text ?? '', 10);
  return Number.isNaN(value) ? fallback : value;
}
