import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/**
 * What a tool service may tell Nextcloud. A list of what goes on, not of what stays behind: a header nobody
 * thought of (a login by federation, a forged client address, another method) does not reach Nextcloud.
 * `Destination` is not among them: it is read and written anew, where a request needs one. Neither is `If`, which
 * names paths too.
 */
const REQUEST_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'content-type',
  'depth',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'oc-checksum',
  'ocs-apirequest',
  'overwrite',
  'range',
  'x-nc-paginate',
  'x-nc-paginate-count',
  'x-nc-paginate-offset',
  'x-nc-paginate-token',
  'x-oc-mtime',
]);

export const requestHeaders = (received: IncomingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(received).filter(([name]) => REQUEST_HEADERS.has(name)));

/** RFC 9110, 7.6.1: they belong to one connection. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Sessions are for browsers, and nobody but the gateway says what the gateway says. */
const isOurs = (name: string): boolean => name === 'set-cookie' || name.startsWith('x-nuqloud-');

/** The headers of Nextcloud's answer that the tool service gets. */
export const answerHeaders = (received: IncomingHttpHeaders): OutgoingHttpHeaders => {
  const named = new Set((received.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  return Object.fromEntries(
    Object.entries(received).filter(
      ([name, value]) => value !== undefined && !HOP_BY_HOP.has(name) && !named.has(name) && !isOurs(name),
    ),
  );
};
