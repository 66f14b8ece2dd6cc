/** Where a Nextcloud is: an origin, and the path of its folder there (empty, or `/nextcloud`). */
export interface BaseUrl {
  readonly origin: string;
  readonly path: string;
}

/**
 * The base URL as it is stored. AppAPI hands it out with `/index.php` or a slash at its end.
 * @param url an absolute http or https URL
 */
export const normaliseBaseUrl = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/+$/, '').replace(/\/index\.php$/, '');
};

export const parseBaseUrl = (url: string): BaseUrl => {
  const { origin, pathname } = new URL(url);
  return { origin, path: pathname === '/' ? '' : pathname };
};
