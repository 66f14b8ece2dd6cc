import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { GATEWAY_ERROR_HEADER, GATEWAY_REFUSALS } from '@nuqloud/contracts';
import type { GatewayError } from '@nuqloud/contracts';
import { GatewayRefusal } from '../domain/gateway-refusal';

/** Only refusals are worded for the caller; of anything else the message may quote what it must not. */
const asRefusal = (error: unknown): GatewayRefusal =>
  error instanceof GatewayRefusal
    ? error
    : new GatewayRefusal(GATEWAY_REFUSALS.INTERNAL, 'The gateway failed; its log says where.');

/** Answers a request that is not carried out; the header tells this answer from one of Nextcloud. */
export const sendRefusal = (response: ServerResponse, error: unknown): void => {
  const refusal = asRefusal(error);
  const body: GatewayError = { v: 1, code: refusal.code, message: refusal.message.slice(0, 1_000) };
  const headers: OutgoingHttpHeaders = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    [GATEWAY_ERROR_HEADER]: refusal.code,
  };
  if (refusal.retryAfterS !== undefined) headers['retry-after'] = String(refusal.retryAfterS);
  response.writeHead(refusal.status, headers);
  response.end(JSON.stringify(body));
};
