import type { OutgoingHttpHeaders } from 'node:http';
import type { Exchange } from '../http/exchange';
import { headerOf } from '../http/exchange';
import type { TreeNode } from '../world/world';
import { DavFailure } from './dav-failure';

/**
 * `If-Match`, `If-None-Match` and the two date conditions; undefined where nothing exists yet. ETags are compared as
 * quoted strings: unquoted and weak ones never match, and a folder's never matches either. @throws {DavFailure} 412
 */
export function checkPreconditions(exchange: Exchange, node: TreeNode | undefined): 'go on' | 'not modified' {
  const ifMatch = headerOf(exchange, 'if-match');
  if (!node) {
    if (ifMatch === '') return 'go on';
    throw failed('If-Match', 'An If-Match header was specified and the resource did not exist');
  }
  if (ifMatch !== '' && !lists(ifMatch, node)) {
    const message = 'An If-Match header was specified, but none of the specified ETags matched.';
    throw failed('If-Match', message, node.kind === 'file' ? { ETag: `"${node.etag}"` } : {});
  }
  const ifUnmodifiedSince = Date.parse(headerOf(exchange, 'if-unmodified-since'));
  if (node.modifiedAt * 1000 > ifUnmodifiedSince) {
    throw failed(
      'If-Unmodified-Since',
      'An If-Unmodified-Since header was specified, but the entity has been changed since the specified date.',
    );
  }
  const reading = exchange.method === 'GET' || exchange.method === 'HEAD';
  const ifNoneMatch = headerOf(exchange, 'if-none-match');
  if (ifNoneMatch !== '') {
    if (!lists(ifNoneMatch, node)) return 'go on';
    if (reading) return 'not modified';
    throw failed(
      'If-None-Match',
      'An If-None-Match header was specified, but the ETag matched (or * was specified).',
    );
  }
  const ifModifiedSince = Date.parse(headerOf(exchange, 'if-modified-since'));
  return reading && node.modifiedAt * 1000 <= ifModifiedSince ? 'not modified' : 'go on';
}

function lists(header: string, node: TreeNode): boolean {
  const etag = node.kind === 'file' ? `"${node.etag}"` : undefined;
  return header.split(',').some((one) => one.trim() === '*' || one.trim() === etag);
}

function failed(condition: string, message: string, headers: OutgoingHttpHeaders = {}): DavFailure {
  return new DavFailure(412, 'Sabre\\DAV\\Exception\\PreconditionFailed', message, headers, condition);
}
