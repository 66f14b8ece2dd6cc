import type { IncomingHttpHeaders } from 'node:http';

/** What AppAPI's headers claim; nothing of it is proved yet. */
export interface AppHeaders {
  readonly appId: string;
  readonly version: string;
  readonly secret: string;
  /** Nextcloud's name of the request, where it has one. */
  readonly requestId: string | undefined;
}

/** What is wrong with the headers themselves; names no value. */
export type HeaderFault =
  | 'NO_APP_ID'
  | 'NO_APP_VERSION'
  | 'NO_AUTHORIZATION'
  | 'MALFORMED_AUTHORIZATION'
  /** Nextcloud's own calls have no user; one with a user came through a proxy for people. */
  | 'ACTS_AS_USER';

const LONGEST_ID = 64;
const LONGEST_VERSION = 40;
const LONGEST_AUTHORIZATION = 1_024;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** Nextcloud gives its requests such ids, and `CLI` where there is no request. */
const REQUEST_ID = /^[\w+/=-]{8,64}$/;

/** Reads the headers with which AppAPI calls an app. `AUTHORIZATION-APP-API` is base64 of user id, `:`, secret. */
export const readAppHeaders = (headers: IncomingHttpHeaders): AppHeaders | { fault: HeaderFault } => {
  const appId = single(headers['ex-app-id'], LONGEST_ID);
  if (appId === undefined) return { fault: 'NO_APP_ID' };
  const version = single(headers['ex-app-version'], LONGEST_VERSION);
  if (version === undefined) return { fault: 'NO_APP_VERSION' };
  const credential = single(headers['authorization-app-api'], LONGEST_AUTHORIZATION);
  if (credential === undefined) return { fault: 'NO_AUTHORIZATION' };
  if (!BASE64.test(credential)) return { fault: 'MALFORMED_AUTHORIZATION' };
  const text = Buffer.from(credential, 'base64').toString('utf8');
  // At the first colon: a secret may hold further ones.
  const colon = text.indexOf(':');
  const secret = text.slice(colon + 1);
  if (colon < 0 || secret === '') return { fault: 'MALFORMED_AUTHORIZATION' };
  if (colon > 0) return { fault: 'ACTS_AS_USER' };
  const requestId = single(headers['aa-request-id'], 64);
  return {
    ...{ appId, version, secret },
    requestId: requestId !== undefined && REQUEST_ID.test(requestId) ? requestId : undefined,
  };
};

const single = (value: string | string[] | undefined, longest: number): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= longest ? value : undefined;
