import type { OutgoingHttpHeaders } from 'node:http';
import type { Reply } from '../http/exchange';
import { element, text, xmlDocument } from '../http/xml-writer';

/** A refusal in Sabre's XML, e.g. `Sabre\DAV\Exception\NotFound`. */
export class DavFailure extends Error {
  override readonly name = 'DavFailure';

  constructor(
    readonly status: number,
    readonly exception: string,
    message: string,
    readonly headers: OutgoingHttpHeaders = {},
    /** The condition's header in a 412. */
    readonly condition?: string,
  ) {
    super(message);
  }
}

export const notFound = (message: string) => new DavFailure(404, 'Sabre\\DAV\\Exception\\NotFound', message);
export const badRequest = (message: string) =>
  new DavFailure(400, 'Sabre\\DAV\\Exception\\BadRequest', message);
export const forbidden = (message = '') => new DavFailure(403, 'Sabre\\DAV\\Exception\\Forbidden', message);
export const conflict = (message: string) => new DavFailure(409, 'Sabre\\DAV\\Exception\\Conflict', message);
export const notImplemented = (message: string) =>
  new DavFailure(501, 'Sabre\\DAV\\Exception\\NotImplemented', message);

export function davFailureReply(failure: DavFailure, headers: OutgoingHttpHeaders = {}): Reply {
  const root = element('d:error', { 'xmlns:d': 'DAV:', 'xmlns:s': 'http://sabredav.org/ns' }, [
    element('s:exception', {}, [text(failure.exception)]),
    element('s:message', {}, failure.message === '' ? [] : [text(failure.message)]),
    ...(failure.condition === undefined ? [] : [element('s:header', {}, [text(failure.condition)])]),
  ]);
  return {
    status: failure.status,
    headers: { 'Content-Type': 'application/xml; charset=utf-8', ...headers, ...failure.headers },
    body: xmlDocument(root, { indent: '  ', encoding: 'utf-8' }),
  };
}
