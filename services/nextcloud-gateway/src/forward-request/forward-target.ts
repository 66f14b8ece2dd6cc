import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import { GatewayRefusal } from '../domain/gateway-refusal';

/** Where a request wants to go: `/nextcloud/{instance}` and then a path of Nextcloud. */
export interface ForwardTarget {
  readonly instance: string;
  /** Below the base URL, still encoded. */
  readonly path: string;
  /** Without `?`; undefined where there is none. */
  readonly query: string | undefined;
}

const TARGET = /^\/nextcloud\/([a-z0-9-]{1,40})(\/[^?#]*)(?:\?([^#]*))?$/;

/** @throws GatewayRefusal NOT_FOUND */
export const parseTarget = (url: string): ForwardTarget => {
  const [, instance, path, query] = TARGET.exec(url) ?? [];
  if (instance === undefined || path === undefined) {
    throw new GatewayRefusal(
      GATEWAY_REFUSALS.NOT_FOUND,
      'There is nothing here; requests to Nextcloud go to /nextcloud/{instance}/…',
    );
  }
  return { instance, path, query };
};
