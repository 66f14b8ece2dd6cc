import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Instance } from '../domain/instance';

export interface NextcloudRequest {
  readonly method: string;
  /** Below the instance's base URL, percent-encoded, with its query. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: Readable | Uint8Array;
  /** Milliseconds of silence after which it is given up, where that is sooner than usual. */
  readonly patienceMs?: number;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
}

export interface NextcloudAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Fails when the connection breaks before its end. */
  readonly body: Readable;
}

/** As the app itself, without a user. */
export const AS_THE_APP = '';

/** The only way to a Nextcloud. Follows no redirect and repeats nothing. */
export abstract class Nextcloud {
  /**
   * @param uid as whom; AS_THE_APP, or null for nobody, without any credential
   * @throws GatewayRefusal CREDENTIALS_REFUSED, REDIRECTED, BACKING_OFF, UNREACHABLE, TIMEOUT, NO_APPAPI: nothing was
   *   done; OUTCOME_UNKNOWN: a write was sent and not answered
   */
  abstract send(instance: Instance, uid: string | null, request: NextcloudRequest): Promise<NextcloudAnswer>;
}
