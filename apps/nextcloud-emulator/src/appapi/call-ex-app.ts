import { randomBytes } from 'node:crypto';
import type { Emulation } from '../emulation';
import type { ExApp } from '../world/world';

export interface ExAppCall {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** With its query, e.g. `/enabled?enabled=1`. */
  readonly path: string;
  readonly timeoutMs: number;
  readonly body?: string;
}

export interface ExAppAnswer {
  readonly status: number;
  readonly body: string;
}

/** AppAPI's headers, with the app itself and no user: what Nextcloud sends to an external app. */
export function exAppHeaders(emulation: Emulation, { id, version, secret }: ExApp): Record<string, string> {
  return {
    'EX-APP-ID': id,
    'EX-APP-VERSION': version,
    'AUTHORIZATION-APP-API': Buffer.from(`:${secret}`).toString('base64'),
    'AA-VERSION': emulation.world.versions.nextcloud,
    'AA-REQUEST-ID': randomBytes(15).toString('base64url'),
    'Accept-Language': 'en',
  };
}

/**
 * Calls the app where it is registered. @throws what `fetch` throws: the app cannot be reached, or took too long
 * @param headers none for the heartbeat
 */
export async function callExApp(
  emulation: Emulation,
  exApp: ExApp,
  { method, path, timeoutMs, body }: ExAppCall,
  headers: Record<string, string> = {},
): Promise<ExAppAnswer> {
  if (exApp.url === null) throw new Error('The app of a fixture has no address');
  const response = await fetch(exApp.url + path, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body }),
    signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), emulation.closing]),
  });
  return { status: response.status, body: await response.text() };
}
