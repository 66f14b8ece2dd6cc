import type { Emulation } from '../emulation';
import type { Exchange, Reply } from '../http/exchange';
import type { Identity } from '../appapi/identity';
import { answerFiles } from './answer-files';
import { DavFailure, davFailureReply, notFound, notImplemented } from './dav-failure';
import { ALLOWED_METHODS, davHeader } from './dav-features';
import { decodePath } from './decode-path';
import { search } from './search';
import { answerTrashbin } from '../trashbin/answer-trashbin';
import { answerVersions } from '../versions/answer-versions';

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
  'uploads',
];

/** Answers `/remote.php/dav`; `path` is what follows, still encoded. */
export async function answerDav(emulation: Emulation, exchange: Exchange, path: string): Promise<Reply> {
  try {
    const uid = davUser(exchange.identity);
    const [tree, ...rest] = decodePath(path);
    if (tree === undefined) return await answerRoot(emulation, exchange, uid);
    return await answerTree(emulation, exchange, uid, tree, rest);
  } catch (error) {
    if (!(error instanceof DavFailure)) throw error;
    // Recorded: once a PROPFIND has been understood, its failure carries the DAV header.
    const understood = exchange.method === 'PROPFIND' && (error.status === 404 || error.status === 405);
    return davFailureReply(error, understood ? { DAV: davHeader(emulation.world.versions) } : {});
  }
}

async function answerTree(
  emulation: Emulation,
  exchange: Exchange,
  uid: string,
  tree: string,
  [owner, ...rest]: string[],
): Promise<Reply> {
  const { apps } = emulation.world.versions;
  if (tree === 'trashbin' && apps.has('files_trashbin'))
    return answerTrashbin({ emulation, exchange, uid }, owner, rest);
  if (tree === 'versions' && apps.has('files_versions'))
    return answerVersions({ emulation, exchange, uid }, owner, rest);
  if (tree !== 'files') throw unservedTree(tree);
  if (owner === undefined) return filesCollection(exchange);
  return answerFiles({ emulation, exchange, uid, owner, path: `/${rest.join('/')}` });
}

function answerRoot(emulation: Emulation, exchange: Exchange, uid: string): Promise<Reply> {
  if (exchange.method === 'SEARCH') return search(emulation, exchange, uid);
  throw notImplemented(`The emulator does not answer ${exchange.method} on the DAV root yet`);
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
