import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import type { AllowedRequest } from './families';
import { GatewayRefusal } from './gateway-refusal';
import { pathSegments } from './path-segments';
import type { Segment } from './path-segments';

export interface WantedRequest {
  readonly method: string;
  /** Below Nextcloud's base URL, as sent. */
  readonly path: string;
  /** Without `?`; undefined where there is none. */
  readonly query: string | undefined;
}

/**
 * The entry of a family's table that allows a request.
 * @param uid the acting person: `{uid}` in the table is this id, exactly
 * @throws GatewayRefusal INVALID_PATH, NOT_ALLOWED
 */
export const matchRequest = (
  table: readonly AllowedRequest[],
  { method, path, query }: WantedRequest,
  uid: string,
): AllowedRequest => {
  const segments = pathSegments(path);
  const entry = table.find(
    (candidate) => candidate.methods.includes(method) && fits(candidate.path, segments, uid),
  );
  if (!entry) {
    throw new GatewayRefusal(
      GATEWAY_REFUSALS.NOT_ALLOWED,
      `${method} is not allowed at this path for this family of tools, or the path is another person's.`,
    );
  }
  if (query !== undefined && !entry.queries?.includes(query)) {
    throw new GatewayRefusal(GATEWAY_REFUSALS.NOT_ALLOWED, `${entry.path} takes no such query.`);
  }
  return entry;
};

const fits = (template: string, segments: readonly Segment[], uid: string): boolean => {
  const parts = template.slice(1).split('/');
  const open = parts.at(-1) === '**';
  const fixed = open ? parts.slice(0, -1) : parts;
  if (open ? segments.length < fixed.length : segments.length !== fixed.length) return false;
  return fixed.every((part, index) =>
    part === '{uid}' ? segments[index]?.decoded === uid : segments[index]?.raw === part,
  );
};
