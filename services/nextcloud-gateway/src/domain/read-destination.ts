import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import type { BaseUrl } from './base-url';
import { GatewayRefusal } from './gateway-refusal';
import { fits, pathSegments } from './path-segments';

/** Characters; the audit holds as many. */
const MAX_LENGTH = 16_000;

/**
 * Where a MOVE or COPY leads, by the same rules as a path.
 * @param header as sent: a path below Nextcloud's base URL, as those of requests are, or that path in an absolute URL
 *   of this Nextcloud
 * @param template where the family's table says it has to lead
 * @returns the path below the base URL
 * @throws GatewayRefusal INVALID_PATH, NOT_ALLOWED
 */
export const readDestination = (
  header: string | undefined,
  template: string,
  { origin, path }: BaseUrl,
  uid: string,
): string => {
  if (header === undefined || header === '' || header.length > MAX_LENGTH) {
    throw new GatewayRefusal(
      GATEWAY_REFUSALS.INVALID_PATH,
      `A request that moves or copies needs one Destination of at most ${MAX_LENGTH} characters.`,
    );
  }
  const base = origin + path;
  const below = header.startsWith(`${base}/`) ? header.slice(base.length) : header;
  if (!below.startsWith('/')) {
    throw new GatewayRefusal(
      GATEWAY_REFUSALS.NOT_ALLOWED,
      'The Destination is no path of this Nextcloud. Send it like the path of a request: /remote.php/dav/…',
    );
  }
  if (!fits(template, pathSegments(below), uid)) {
    throw new GatewayRefusal(
      GATEWAY_REFUSALS.NOT_ALLOWED,
      `The Destination of this request must be ${template} with the acting person's own id.`,
    );
  }
  return below;
};
