import type { OutgoingHttpHeaders } from 'node:http';
import type { Reply } from '../http/exchange';
import type { TreeNode, World } from '../world/world';
import { longFileId } from './file-properties';

/** The empty answer to a change: 201 for something new, 204 for something replaced or gone. */
export function changed(status: 201 | 204, headers: OutgoingHttpHeaders = {}): Reply {
  return {
    status,
    headers: { 'Content-Type': 'text/html; charset=UTF-8', 'Content-Length': 0, ...headers },
  };
}

export function fileIdHeader(world: World, node: TreeNode): OutgoingHttpHeaders {
  return { 'OC-FileId': longFileId(world, node) };
}

export function etagHeaders(node: TreeNode): OutgoingHttpHeaders {
  return { ETag: `"${node.etag}"`, 'OC-ETag': `"${node.etag}"` };
}
