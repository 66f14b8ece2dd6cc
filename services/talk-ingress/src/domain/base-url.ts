/**
 * A Nextcloud's base URL as it is stored: with its sub-folder, without the `/index.php` and the slashes that
 * people copy along.
 */
export const normaliseBaseUrl = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/+$/, '').replace(/\/index\.php$/, '');
};
