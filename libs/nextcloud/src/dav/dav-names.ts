/** XML names in Clark notation, `{namespace}local`: prefixes differ between servers, namespaces do not. */
export type ClarkName = `{${string}}${string}`;

export const DAV_NAMESPACES = {
  d: 'DAV:',
  oc: 'http://owncloud.org/ns',
  nc: 'http://nextcloud.org/ns',
} as const;

export type DavPrefix = keyof typeof DAV_NAMESPACES;
export type PrefixedName = `${DavPrefix}:${string}`;

/** `oc:fileid` as `{http://owncloud.org/ns}fileid`. */
export const clark = (name: PrefixedName): ClarkName => {
  const colon = name.indexOf(':');
  return `{${DAV_NAMESPACES[name.slice(0, colon) as DavPrefix]}}${name.slice(colon + 1)}`;
};
