import type { OutgoingHttpHeaders } from 'node:http';
import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import type { AllowedRequest } from '../domain/families';
import { requestHeaders } from '../domain/forwarded-headers';
import { GatewayRefusal } from '../domain/gateway-refusal';
import { checkSearchScope, MAX_SEARCH_BYTES } from '../domain/search-scope';
import type { NextcloudRequest } from '../ports/nextcloud';
import type { ActingIdentity } from '../resolve-identity/resolve-identity';
import type { ReceivedForward } from './forward-request';
import type { ForwardTarget } from './forward-target';
import { readWholeBody } from './read-whole-body';

/** Bytes of a body that goes on as it comes. A question in XML has one kilobyte. */
export const MAX_BODY_BYTES = { xml: 64 * 1024, file: 256 * 1024 * 1024 } as const;

/** A request that the family's table allows. */
export interface DecidedRequest {
  readonly identity: Pick<ActingIdentity, 'instance' | 'uid'>;
  readonly target: ForwardTarget;
  readonly allowed: AllowedRequest;
  /** Below the base URL; of a MOVE or COPY. */
  readonly destination: string | undefined;
}

/** What is sent to Nextcloud for it. @throws GatewayRefusal for a search it may not make or a body it may not have */
export const toNextcloud = async (
  received: ReceivedForward,
  { identity, target, allowed, destination }: DecidedRequest,
): Promise<NextcloudRequest> => {
  const { method, signal } = received;
  const { origin, path: folder } = identity.instance.baseUrl;
  const request = {
    method,
    path: target.query === undefined ? target.path : `${target.path}?${target.query}`,
    headers: {
      ...requestHeaders(received.headers),
      ...(destination !== undefined && { destination: origin + folder + destination }),
    },
    signal,
  };
  switch (allowed.body) {
    case 'none':
      return request;
    case 'xml':
    case 'file': {
      const length = bodyLength(received, MAX_BODY_BYTES[allowed.body]);
      return { ...request, headers: { ...request.headers, ...length }, body: received.body };
    }
    case 'search': {
      const body = await readSearch(received.body);
      checkSearchScope(body, identity.uid);
      return { ...request, headers: { ...request.headers, 'content-length': body.length }, body };
    }
  }
};

/** Only of a body whose length is known can Nextcloud tell that the rest is missing: it would store half a file. */
const bodyLength = ({ headers }: ReceivedForward, limit: number): OutgoingHttpHeaders => {
  if (headers['transfer-encoding'] !== undefined) {
    throw new GatewayRefusal(
      GATEWAY_REFUSALS.INVALID_REQUEST,
      'A body needs a Content-Length; one that comes in chunks is not handed on.',
    );
  }
  const length = headers['content-length'] ?? '0';
  if (Number(length) > limit) throw tooLarge(limit);
  return { 'content-length': length };
};

const readSearch = async (body: ReceivedForward['body']): Promise<Buffer> => {
  const whole = await readWholeBody(body, MAX_SEARCH_BYTES);
  if (!whole) throw tooLarge(MAX_SEARCH_BYTES);
  return whole;
};

const tooLarge = (limit: number): GatewayRefusal =>
  new GatewayRefusal(GATEWAY_REFUSALS.TOO_LARGE, `The body of this request may have ${limit} bytes at most.`);
