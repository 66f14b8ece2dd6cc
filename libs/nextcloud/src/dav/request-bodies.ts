import { DAV_NAMESPACES } from './dav-names';
import type { PrefixedName } from './dav-names';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
const NAMESPACES = Object.entries(DAV_NAMESPACES)
  .map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`)
  .join(' ');

const props = (names: readonly PrefixedName[]): string =>
  `<d:prop>${names.map((name) => `<${name}/>`).join('')}</d:prop>`;

export const propfindBody = (names: readonly PrefixedName[]): string =>
  `${DECLARATION}<d:propfind ${NAMESPACES}>${props(names)}</d:propfind>`;

/** Whichever file in this person's tree has the id. Nextcloud searches at the DAV root only, with exactly one scope. */
export const searchByIdBody = (uid: string, fileId: string): string =>
  `${DECLARATION}<d:searchrequest ${NAMESPACES}><d:basicsearch>` +
  `<d:select>${props(['oc:fileid'])}</d:select>` +
  `<d:from><d:scope><d:href>/files/${escapeXml(scopeOf(uid))}</d:href><d:depth>infinity</d:depth></d:scope></d:from>` +
  `<d:where><d:eq>${props(['oc:fileid'])}<d:literal>${escapeXml(fileId)}</d:literal></d:eq></d:where>` +
  // Without a limit some servers cut the answer at a number of their own.
  `<d:limit><d:nresults>1</d:nresults></d:limit>` +
  `</d:basicsearch></d:searchrequest>`;

/** As the server writes hrefs: `@` of ids that are e-mail addresses stays, which every decoder understands. */
const scopeOf = (uid: string): string => encodeURIComponent(uid).replace(/%40/g, '@');

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);
