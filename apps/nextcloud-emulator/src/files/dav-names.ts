export const DAV = 'DAV:';
export const OWNCLOUD = 'http://owncloud.org/ns';
export const NEXTCLOUD = 'http://nextcloud.org/ns';
export const OCS = 'http://open-collaboration-services.org/ns';

/** The prefixes that stand at the root of every multistatus; other namespaces get `x1`, `x2`, … where they occur. */
export const PREFIXES: Readonly<Record<string, string>> = {
  [DAV]: 'd',
  'http://sabredav.org/ns': 's',
  [OWNCLOUD]: 'oc',
  [NEXTCLOUD]: 'nc',
};

export const ROOT_NAMESPACES = {
  'xmlns:d': DAV,
  'xmlns:s': 'http://sabredav.org/ns',
  'xmlns:oc': OWNCLOUD,
  'xmlns:nc': NEXTCLOUD,
};

/** A property's full name in Clark notation, `{namespace}local`. */
export function clark(namespace: string, name: string): string {
  return `{${namespace}}${name}`;
}

/**
 * A path as it stands in an href: lower-case hex, and only these characters as they are: `A-Za-z0-9_-.~():@/`.
 * (Recorded from a real server.)
 */
export function encodeHref(path: string): string {
  return encodeURIComponent(path)
    .replace(/%2F/g, '/')
    .replace(/%3A/g, ':')
    .replace(/%40/g, '@')
    .replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase())
    .replace(/[!'*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}
