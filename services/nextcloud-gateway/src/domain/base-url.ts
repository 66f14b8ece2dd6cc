/** Where a Nextcloud is: an origin, and the path of its folder there (empty, or `/nextcloud`). */
export interface BaseUrl {
  readonly origin: string;
  readonly path: string;
}

/** @param url as it is stored: without a slash at its end */
export const parseBaseUrl = (url: string): BaseUrl => {
  const { origin, pathname } = new URL(url);
  return { origin, path: pathname === '/' ? '' : pathname };
};
