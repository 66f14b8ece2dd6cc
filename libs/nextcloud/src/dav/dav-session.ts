import { setTimeout as sleep } from 'node:timers/promises';
import type { GatewayClient, NextcloudRequest } from '../gateway/gateway-client';
import type { NextcloudResponse } from '../gateway/nextcloud-response';
import { outcomeUnknown } from '../gateway/gateway-errors';
import { filesErrorOf } from '../files/files-error';
import { readMultistatus } from './read-multistatus';
import { propfindBody } from './request-bodies';
import type { PrefixedName } from './dav-names';
import type { DavResponse } from './dav-response';

export const DAV_ROOT = '/remote.php/dav';
export const XML = { 'content-type': 'application/xml; charset=utf-8' };
const MULTISTATUS = 207;
const LOCKED = 423;
/** Locks of uploads and scans last moments; those of editors outlast any waiting. */
const LOCK_RETRIES_MS = [150, 450];
/** Before they answer so, a server or a proxy may have begun; 503 and 507 say that nothing was begun. */
const BEGUN = new Set([500, 502, 504]);

/** WebDAV as one tool call speaks it, whatever tree it is about. */
export class DavSession {
  constructor(private readonly gateway: GatewayClient) {}

  async uid(): Promise<string> {
    return (await this.gateway.identity()).uid;
  }

  /** `/remote.php/dav/<tree>/<uid>` */
  async treeOf(tree: 'files' | 'trashbin' | 'versions'): Promise<string> {
    return `${DAV_ROOT}/${tree}/${encodeURIComponent(await this.uid())}`;
  }

  async propfind(
    url: string,
    names: readonly PrefixedName[],
    headers: Readonly<Record<string, string>>,
    what: string,
  ): Promise<NextcloudResponse> {
    const request = { headers: { ...XML, ...headers }, body: propfindBody(names) };
    return this.multistatus('PROPFIND', url, request, what);
  }

  /** @throws FilesError for any answer that is no multistatus */
  async multistatus(
    method: string,
    url: string,
    request: NextcloudRequest,
    what: string,
  ): Promise<NextcloudResponse> {
    const response = await this.gateway.request(method, url, request);
    if (response.status !== MULTISTATUS) throw await filesErrorOf(response, what);
    return response;
  }

  resources(response: NextcloudResponse): AsyncGenerator<DavResponse> {
    return readMultistatus(response.chunks());
  }

  /** A read of content; asks again while a short lock lasts. */
  read(url: string, headers: Readonly<Record<string, string>>): Promise<NextcloudResponse> {
    return this.patiently(() => this.gateway.request('GET', url, { headers }));
  }

  /**
   * A request that changes something; asks again while a short lock lasts, and never after that.
   * @throws OutcomeUnknown where it was sent and no answer tells what became of it
   */
  async write(
    method: string,
    url: string,
    request: NextcloudRequest,
    what: string,
  ): Promise<NextcloudResponse> {
    const response = await this.patiently(() => this.gateway.write(method, url, request, what));
    if (!BEGUN.has(response.status)) return response;
    await response.discard();
    throw outcomeUnknown(what);
  }

  private async patiently(ask: () => Promise<NextcloudResponse>): Promise<NextcloudResponse> {
    for (const delay of LOCK_RETRIES_MS) {
      const response = await ask();
      if (response.status !== LOCKED) return response;
      await response.discard();
      await sleep(delay, undefined, { signal: this.gateway.signal });
    }
    return ask();
  }
}
