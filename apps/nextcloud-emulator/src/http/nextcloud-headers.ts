import { randomBytes } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import type { Emulation } from '../emulation';

const REQUEST_ID_BYTES = 15;

/** What a real server puts on every answer, whoever asks: cookies that no API client should keep, an id for its log. */
export function nextcloudHeaders(emulation: Emulation): OutgoingHttpHeaders {
  const path = `path=${emulation.webRoot || '/'}; HttpOnly; SameSite=Lax`;
  return {
    'X-Request-Id': randomBytes(REQUEST_ID_BYTES).toString('base64url'),
    'X-Robots-Tag': 'noindex, nofollow',
    'Set-Cookie': [
      `${emulation.world.instanceId}=${randomBytes(16).toString('hex')}; ${path}`,
      `oc_sessionPassphrase=${randomBytes(24).toString('base64url')}; ${path}`,
      'nc_sameSiteCookielax=true; path=/; httponly; expires=Fri, 31-Dec-2100 23:59:59 GMT; SameSite=lax',
      'nc_sameSiteCookiestrict=true; path=/; httponly; expires=Fri, 31-Dec-2100 23:59:59 GMT; SameSite=strict',
    ],
  };
}
