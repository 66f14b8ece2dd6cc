import { randomBytes } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';

/**
 * What a real server puts on every answer, whoever asks: cookies that no API client should keep, an id for its log.
 * The cookies are the same for as long as the emulator runs.
 */
export function nextcloudHeaders(webRoot: string, instanceId: string): () => OutgoingHttpHeaders {
  const attributes = `path=${webRoot || '/'}; HttpOnly; SameSite=Lax`;
  const cookies = [
    `${instanceId}=${randomBytes(16).toString('hex')}; ${attributes}`,
    `oc_sessionPassphrase=${randomBytes(24).toString('base64url')}; ${attributes}`,
    'nc_sameSiteCookielax=true; path=/; httponly; expires=Fri, 31-Dec-2100 23:59:59 GMT; SameSite=lax',
    'nc_sameSiteCookiestrict=true; path=/; httponly; expires=Fri, 31-Dec-2100 23:59:59 GMT; SameSite=strict',
  ];
  const run = randomBytes(8).toString('hex');
  let count = 0;
  return () => ({
    'X-Request-Id': `${run}${String(++count).padStart(6, '0')}`,
    'X-Robots-Tag': 'noindex, nofollow',
    'Set-Cookie': cookies,
  });
}
