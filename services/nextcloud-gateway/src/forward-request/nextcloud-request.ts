import type { OutgoingHttpHeaders } from 'node:http';
import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import type { AllowedRequest } from '../domain/families';
import { requestHeaders } from '../domain/forwarded-headers';
import { GatewayRefusal } from '../domain/gateway-refusal';
import { checkSearchScope, MAX_SEARCH_BYTES } from '../domain/search-scope';
import type { NextcloudRequest } from '../ports/nextcloud';
import type { ReceivedForward } from './forward-request';
import type { ForwardTarget } from './forward-target';
import { readWholeBody } from './read-whole-body';

/** What is sent to Nextcloud for a request that is allowed. @throws GatewayRefusal for a search it may not make */
export const toNextcloud = async (
  received: ReceivedForward,
  { path, query }: ForwardTarget,
  allowed: AllowedRequest,
  uid: string,
): Promise<NextcloudRequest> => {
  const { method, signal } = received;
  const request = {
    method,
    path: query === undefined ? path : `${path}?${query}`,
    headers: requestHeaders(received.headers),
    signal,
  };
  switch (allowed.body) {
    case 'none':
      return request;
    case 'stream':
      return { ...request, headers: { ...request.headers, ...bodyLength(received) }, body: received.body };
    case 'search': {
      const body = await readSearch(received.body);
      checkSearchScope(body, uid);
      return { ...request, headers: { ...request.headers, 'content-length': body.length }, body };
    }
  }
};

/** Without a length the body goes on in chunks, as it came. */
const bodyLength = ({ headers }: ReceivedForward): OutgoingHttpHeaders => {
  if (headers['transfer-encoding'] !== undefined) return {};
  return { 'content-length': headers['content-length'] ?? '0' };
};

const readSearch = async (body: ReceivedForward['body']): Promise<Buffer> => {
  const whole = await readWholeBody(body, MAX_SEARCH_BYTES);
  if (!whole) {
    throw new GatewayRefusal(
      GATEWAY_REFUSALS.TOO_LARGE,
      `The body of a search may have ${MAX_SEARCH_BYTES} bytes at most.`,
    );
  }
  return whole;
};
