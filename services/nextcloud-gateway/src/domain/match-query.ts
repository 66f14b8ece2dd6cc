import type { QueryValues } from './families';
import { pathSegments } from './path-segments';

/**
 * Whether a query holds nothing but known parameters with values they may have. Names are compared as they stand;
 * a repeated one could be read in two ways.
 * @throws GatewayRefusal INVALID_PATH for a path that could be read in more than one way
 */
export const isAllowedQuery = (query: string, allowed: Readonly<Record<string, QueryValues>>): boolean => {
  const seen = new Set<string>();
  return query.split('&').every((pair) => {
    const [, name = '', value = ''] = /^([a-z_]+)=(.*)$/.exec(pair) ?? [];
    const values = Object.hasOwn(allowed, name) ? allowed[name] : undefined;
    if (values === undefined || seen.has(name)) return false;
    seen.add(name);
    return values === 'path' ? isPath(value) : values.includes(value);
  });
};

/** Encoded as a form writes it: the slashes may be escapes, and `+` is a space. */
const isPath = (value: string): boolean =>
  pathSegments(value.replace(/%2f/gi, '/').replaceAll('+', '%20')).length > 0;
