import type { Emulation } from './emulation';
import { answerDav } from './files/answer-dav';
import type { Exchange, Reply } from './http/exchange';
import { answerOcs } from './ocs/answer-ocs';
import type { OcsRouter } from './ocs/ocs-call';
import { answerStatus } from './ocs/status';

/** Sends a request to the part of "Nextcloud" that answers it. */
export async function answerNextcloud(
  emulation: Emulation,
  ocs: OcsRouter,
  exchange: Exchange,
): Promise<Reply> {
  const { path } = exchange;
  if (path === '/status.php') return answerStatus(emulation.world);
  const ocsPath = /^\/ocs\/(v[12])\.php(\/.*)$/.exec(path);
  if (ocsPath)
    return answerOcs(emulation, ocs, exchange, ocsPath[1] === 'v1' ? 'v1' : 'v2', ocsPath[2] ?? '/');
  const davPath = /^\/remote\.php\/dav(\/.*)?$/.exec(path);
  if (davPath) return answerDav(emulation, exchange, davPath[1] ?? '/');
  const known =
    path.startsWith('/remote.php/') || path.startsWith('/index.php/') || path.startsWith('/public.php/');
  return {
    status: known ? 501 : 404,
    headers: { 'Content-Type': 'text/html; charset=UTF-8' },
    body: known ? 'The emulator does not answer this path yet' : 'File not found',
  };
}
