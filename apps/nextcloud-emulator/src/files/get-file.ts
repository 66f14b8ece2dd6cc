import type { OutgoingHttpHeaders } from 'node:http';
import type { Reply } from '../http/exchange';
import { headerOf } from '../http/exchange';
import type { FileNode } from '../world/world';
import { demandEntry } from './dav-call';
import type { FilesCall } from './dav-call';
import { DavFailure } from './dav-failure';
import { httpDate } from './file-properties';
import { checkPreconditions } from './preconditions';

const FOLDER_TEXT =
  'This is the WebDAV interface. It can only be accessed by WebDAV clients such as the Nextcloud desktop sync client.';

/** GET and HEAD. A folder answers 200 with a text, not 405. */
export function getFile(call: FilesCall): Reply {
  const entry = call.owner !== call.uid && call.path === '/' ? undefined : demandEntry(call);
  if (entry?.node.kind !== 'file') {
    return { status: 200, headers: { 'Content-Type': 'text/html; charset=UTF-8' }, body: FOLDER_TEXT };
  }
  const { node, name } = entry;
  if (checkPreconditions(call.exchange, node) === 'not modified') {
    return { status: 304, headers: { ETag: `"${node.etag}"` } };
  }
  return content(node, name, headerOf(call.exchange, 'range'));
}

function content(node: FileNode, name: string, rangeHeader: string): Reply {
  const range = readRange(rangeHeader, node);
  const headers = contentHeaders(node, name);
  if (!range) return { status: 200, headers, body: node.content };
  const body = node.content.subarray(range.first, range.last + 1);
  const contentRange = `bytes ${range.first}-${range.last}/${node.content.length}`;
  return {
    status: 206,
    headers: { ...headers, 'Content-Length': body.length, 'Content-Range': contentRange },
    body,
  };
}

function contentHeaders(node: FileNode, name: string): OutgoingHttpHeaders {
  return {
    'Content-Type': contentType(node.mimetype),
    'Content-Length': node.content.length,
    ...validators(node),
    'OC-ETag': `"${node.etag}"`,
    'Content-Disposition': attachment(name),
  };
}

export function contentType(mimetype: string): string {
  return mimetype.startsWith('text/') ? `${mimetype};charset=UTF-8` : mimetype;
}

export function attachment(name: string): string {
  const encoded = encodeURIComponent(name).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename*=UTF-8''${encoded}; filename="${encoded}"`;
}

function validators(node: FileNode): OutgoingHttpHeaders {
  return { 'Last-Modified': httpDate(node.modifiedAt), ETag: `"${node.etag}"` };
}

/** One range, e.g. `bytes=0-99`, `bytes=100-` or `bytes=-50`; anything else is ignored. */
function readRange(header: string, node: FileNode): { first: number; last: number } | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header.trim());
  const size = node.content.length;
  const [, from = '', to = ''] = match ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '') return { first: Math.max(0, size - Number(to)), last: size - 1 };
  const first = Number(from);
  if (first >= size)
    throw unsatisfiable(node, `The start offset (${first}) exceeded the size of the entity (${size})`);
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (last < first)
    throw unsatisfiable(node, `The end offset (${to}) is lower than the start offset (${first})`);
  return { first, last };
}

function unsatisfiable(node: FileNode, message: string): DavFailure {
  return new DavFailure(
    416,
    'Sabre\\DAV\\Exception\\RequestedRangeNotSatisfiable',
    message,
    validators(node),
  );
}
