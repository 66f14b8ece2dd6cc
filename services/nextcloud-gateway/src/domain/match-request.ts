import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import type { AllowedRequest } from './families';
import { GatewayRefusal } from './gateway-refusal';
import { isAllowedQuery } from './match-query';
import { fits, pathSegments } from './path-segments';

export interface WantedRequest {
  readonly method: string;
  /** Below Nextcloud's base URL, as sent. */
  readonly path: string;
  /** Without `?`; undefined where there is none. */
  readonly query: string | undefined;
  /** The tool on whose behalf it is made. */
  readonly tool: string;
}

/**
 * The entry of a family's table that allows a request.
 * @param uid the acting person: `{uid}` in the table is this id, exactly
 * @throws GatewayRefusal INVALID_PATH, NOT_ALLOWED
 */
export const matchRequest = (
  table: readonly AllowedRequest[],
  { method, path, query, tool }: WantedRequest,
  uid: string,
): AllowedRequest => {
  const segments = pathSegments(path);
  const entry = table.find(
    (candidate) => candidate.methods.includes(method) && fits(candidate.path, segments, uid),
  );
  if (!entry) {
    throw notAllowed(
      `${method} is not allowed at this path for this family of tools, or the path is another person's.`,
    );
  }
  if (entry.tools && !entry.tools.includes(tool)) {
    throw notAllowed(`${tool} may not ${method} at ${entry.path}; that is for ${entry.tools.join(', ')}.`);
  }
  if (query !== undefined && !isAllowedQuery(query, entry.query ?? {})) {
    throw notAllowed(`${entry.path} takes no such query.`);
  }
  return entry;
};

const notAllowed = (message: string): GatewayRefusal =>
  new GatewayRefusal(GATEWAY_REFUSALS.NOT_ALLOWED, message);
