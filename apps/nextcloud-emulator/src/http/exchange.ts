import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Identity } from '../appapi/identity';

/** One request to the emulator, as far as routes need it. */
export interface Exchange {
  readonly method: string;
  /** Below the web root, as sent: still percent-encoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string;
  readonly identity: Identity;
  /** A signal that is aborted when the client has gone away before the answer. */
  whenGone(): AbortSignal;
  /** The whole body. @throws {BodyTooLarge} */
  readBody(): Promise<Buffer>;
}

export interface Reply {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

/** The value of a header that must not come twice, `''` when it is missing. */
export function headerOf(exchange: { headers: IncomingHttpHeaders }, name: string): string {
  const value = exchange.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}
