import { isAtLeast } from '../world/world';
import type { InstalledVersions } from '../world/world';

/** The `DAV` header of the files tree; paging is announced where it exists. */
export function davHeader(versions: InstalledVersions): string {
  const recorded =
    '1, 3, extended-mkcol, access-control, calendarserver-principal-property-search, nextcloud-checksum-update, nc-calendar-search, nc-enable-birthday-calendar';
  return hasPagination(versions) ? `${recorded}, nc-paginate` : recorded;
}

/** `X-NC-Paginate` came after 24; the first release is not known for sure, here it is 31. */
export function hasPagination(versions: InstalledVersions): boolean {
  return isAtLeast(versions, 31);
}

export const ALLOWED_METHODS = 'OPTIONS, GET, HEAD, DELETE, PROPFIND, PUT, PROPPATCH, COPY, MOVE, REPORT';
