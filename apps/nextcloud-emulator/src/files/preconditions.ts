import type { Exchange } from '../http/exchange';
import { headerOf } from '../http/exchange';
import type { FileNode } from '../world/world';
import { DavFailure } from './dav-failure';

/**
 * `If-Match`, `If-None-Match` and the two date conditions for a file that exists. ETags are compared as quoted
 * strings: unquoted and weak ones never match. @throws {DavFailure} 412
 */
export function checkPreconditions(exchange: Exchange, node: FileNode): 'go on' | 'not modified' {
  const ifMatch = headerOf(exchange, 'if-match');
  if (ifMatch !== '' && !lists(ifMatch, node)) {
    throw failed(
      'If-Match',
      'An If-Match header was specified, but none of the specified ETags matched.',
      node,
    );
  }
  const ifUnmodifiedSince = Date.parse(headerOf(exchange, 'if-unmodified-since'));
  if (node.modifiedAt * 1000 > ifUnmodifiedSince) {
    throw failed(
      'If-Unmodified-Since',
      'An If-Unmodified-Since header was specified, but the entity has been changed since the specified date.',
      node,
    );
  }
  const ifNoneMatch = headerOf(exchange, 'if-none-match');
  if (ifNoneMatch !== '') {
    if (!lists(ifNoneMatch, node)) return 'go on';
    if (exchange.method === 'GET' || exchange.method === 'HEAD') return 'not modified';
    throw new DavFailure(
      412,
      EXCEPTION,
      'An If-None-Match header was specified, but the ETag matched (or * was specified).',
      {},
      'If-None-Match',
    );
  }
  const ifModifiedSince = Date.parse(headerOf(exchange, 'if-modified-since'));
  return node.modifiedAt * 1000 <= ifModifiedSince ? 'not modified' : 'go on';
}

const EXCEPTION = 'Sabre\\DAV\\Exception\\PreconditionFailed';

function lists(header: string, node: FileNode): boolean {
  return header.split(',').some((one) => one.trim() === '*' || one.trim() === `"${node.etag}"`);
}

function failed(condition: string, message: string, node: FileNode): DavFailure {
  return new DavFailure(412, EXCEPTION, message, { ETag: `"${node.etag}"` }, condition);
}
