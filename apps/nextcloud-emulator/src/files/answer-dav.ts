import type { Emulation } from '../emulation';
import type { Exchange, Reply } from '../http/exchange';
import { decodeSegment } from '../http/router';
import type { Identity } from '../appapi/identity';
import type { FilesCall } from './dav-call';
import { rootOf } from './dav-call';
import { badRequest, DavFailure, davFailureReply, notFound, notImplemented } from './dav-failure';
import { ALLOWED_METHODS, davHeader } from './dav-features';
import { getFile } from './get-file';
import { propfind } from './propfind';
import { search } from './search';

/** Trees of a real server that the emulator does not serve yet. */
const UNSERVED_TREES = [
  'addressbooks',
  'bulk',
  'calendars',
  'comments',
  'principals',
  'provisioning',
  'system-calendars',
  'systemtags',
  'systemtags-relations',
  'trashbin',
  'uploads',
  'versions',
];

/** Answers `/remote.php/dav`; `path` is what follows, still encoded. */
export async function answerDav(emulation: Emulation, exchange: Exchange, path: string): Promise<Reply> {
  try {
    const uid = davUser(exchange.identity);
    if (path.replace(/\/$/, '') === '') return await answerRoot(emulation, exchange, uid);
    const segments = decodePath(path);
    const [tree = '', owner, ...rest] = segments;
    if (tree !== 'files') throw unservedTree(tree);
    if (owner === undefined) return filesCollection(exchange);
    return await answerFiles({
      emulation,
      exchange,
      uid,
      owner,
      path: `/${rest.join('/')}`.normalize('NFC'),
    });
  } catch (error) {
    if (!(error instanceof DavFailure)) throw error;
    // Recorded: once a PROPFIND has been understood, its failure carries the DAV header.
    const understood = exchange.method === 'PROPFIND' && (error.status === 404 || error.status === 405);
    return davFailureReply(error, understood ? { DAV: davHeader(emulation.world.versions) } : {});
  }
}

async function answerFiles(call: FilesCall): Promise<Reply> {
  rootOf(call);
  switch (call.exchange.method) {
    case 'PROPFIND':
      return propfind(call);
    case 'GET':
    case 'HEAD':
      return getFile(call);
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

function answerRoot(emulation: Emulation, exchange: Exchange, uid: string): Promise<Reply> {
  if (exchange.method === 'SEARCH') return search(emulation, exchange, uid);
  throw notImplemented(`The emulator does not answer ${exchange.method} on the DAV root yet`);
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

function filesCollection(exchange: Exchange): Reply {
  if (exchange.method !== 'PROPFIND')
    throw notImplemented(`The emulator does not answer ${exchange.method} here yet`);
  throw new DavFailure(
    405,
    'Sabre\\DAV\\Exception\\MethodNotAllowed',
    'Listing members of this collection is disabled',
    { Allow: ALLOWED_METHODS },
  );
}

function unservedTree(tree: string): DavFailure {
  return UNSERVED_TREES.includes(tree)
    ? notImplemented(`The emulator does not answer the DAV tree "${tree}" yet`)
    : notFound(`File not found: ${tree} in 'root'`);
}

/** AppAPI's login reaches DAV only under the exact spelling of the user id. */
function davUser(identity: Identity): string {
  if (identity.kind === 'user' && identity.claimed === identity.uid) return identity.uid;
  const basic =
    "No 'Authorization: Basic' header found. Either the client didn't send one, or the server is misconfigured";
  const bearer =
    "No 'Authorization: Bearer' header found. Either the client didn't send one, or the server is mis-configured";
  const refused = identity.kind === 'anonymous' ? identity.refused : null;
  const first = refused === 'basic' ? 'Username or password was incorrect' : basic;
  const second = refused === 'bearer' ? 'Bearer token was incorrect' : bearer;
  throw new DavFailure(
    401,
    'Sabre\\DAV\\Exception\\NotAuthenticated',
    `No public access to this resource., ${first}, ${second}, ${first}`,
    { 'WWW-Authenticate': 'Basic realm="Nextcloud", charset="UTF-8"' },
  );
}

function decodePath(path: string): string[] {
  return path
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => {
      const decoded = decodeSegment(segment);
      if (decoded === undefined) throw badRequest('The path is not valid percent-encoding');
      return decoded;
    });
}
