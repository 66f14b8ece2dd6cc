import type { Reply } from '../http/exchange';
import { copyFile, moveFile } from './copy-move';
import type { FilesCall } from './dav-call';
import { rootOf } from './dav-call';
import { notImplemented } from './dav-failure';
import { ALLOWED_METHODS, davHeader } from './dav-features';
import { deleteFile } from './delete-file';
import { getFile } from './get-file';
import { makeFolder } from './make-folder';
import { propfind } from './propfind';
import { putFile } from './put-file';

/** Answers a call on somebody's files. */
export async function answerFiles(call: FilesCall): Promise<Reply> {
  rootOf(call);
  switch (call.exchange.method) {
    case 'PROPFIND':
      return propfind(call);
    case 'GET':
    case 'HEAD':
      return getFile(call);
    case 'PUT':
      return putFile(call);
    case 'MKCOL':
      return makeFolder(call);
    case 'DELETE':
      return deleteFile(call);
    case 'COPY':
      return copyFile(call);
    case 'MOVE':
      return moveFile(call);
    case 'OPTIONS':
      return options(call);
    case 'SEARCH':
      throw notImplemented(
        'There was no plugin in the system that was willing to handle this SEARCH method.',
      );
    default:
      throw notImplemented(`The emulator does not answer ${call.exchange.method} on files yet`);
  }
}

function options(call: FilesCall): Reply {
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=UTF-8',
      'Content-Length': 0,
      Allow: ALLOWED_METHODS,
      DAV: davHeader(call.emulation.world.versions),
      'Accept-Ranges': 'bytes',
    },
  };
}
