import type { Emulation } from '../emulation';
import type { Exchange, Reply } from '../http/exchange';
import { headerOf } from '../http/exchange';
import { phpJson } from '../http/php-json';
import { envelope } from './envelope';
import type { OcsFormat, OcsVersion } from './envelope';
import { OcsFailure } from './ocs-call';
import type { OcsAnswer, OcsRoute, OcsRouter } from './ocs-call';
import { readParameters } from './read-parameters';
import { isKnownApi } from './unserved-apis';

const UNKNOWN_ROUTE =
  'Invalid query, please check the syntax. API specifications are here: http://www.freedesktop.org/wiki/Specifications/open-collaboration-services.\n';

/** Answers `/ocs/v1.php` and `/ocs/v2.php`: login, access, CSRF, then the route; `path` is what follows. */
export async function answerOcs(
  emulation: Emulation,
  router: OcsRouter,
  exchange: Exchange,
  version: OcsVersion,
  path: string,
): Promise<Reply> {
  const format = formatOf(exchange);
  const { identity } = exchange;
  if (identity.kind === 'anonymous' && identity.refused === 'basic') return wrongPassword();
  const match = router.match(exchange.method, path);
  if (!match) return envelope(unknownRoute(emulation, router, path), version, format);
  const refused = refuse(emulation, match.handler, exchange, version, format);
  if (refused) return refused;
  try {
    const parameters = await readParameters(exchange);
    return envelope(
      await match.handler.handle({ emulation, exchange, path: match.parameters, parameters }),
      version,
      format,
    );
  } catch (error) {
    if (!(error instanceof OcsFailure)) throw error;
    const { status, message, data, statuscode } = error;
    return envelope({ status, message, data, statuscode }, version, format);
  }
}

/** Nextcloud's middleware: who may call comes before the CSRF check. */
function refuse(
  emulation: Emulation,
  route: OcsRoute,
  exchange: Exchange,
  version: OcsVersion,
  format: OcsFormat,
): Reply | undefined {
  const { identity } = exchange;
  const access = route.access ?? 'user';
  if (
    access === 'exapp' &&
    identity.kind !== 'exapp' &&
    !(identity.kind === 'user' && identity.via === 'appapi')
  ) {
    // AppAPI's own routes answer a bare object.
    return plainMessage(401, 'AppAPI authentication failed');
  }
  if ((access === 'user' || access === 'admin') && identity.kind !== 'user') {
    return envelope(notLoggedIn(), version, format);
  }
  if (access === 'admin' && identity.kind === 'user' && !isAdministrator(emulation, identity.uid)) {
    return plainMessage(403, 'Logged in account must be an admin');
  }
  if (!route.csrfExempt && headerOf(exchange, 'ocs-apirequest') !== 'true') {
    return plainMessage(412, 'CSRF check failed');
  }
  return undefined;
}

function notLoggedIn(): OcsAnswer {
  return { status: 401, statuscode: 997, message: 'Current user is not logged in', data: [] };
}

/** A wrong password is answered before anything is routed, always in XML and without the counts of v1. */
function wrongPassword(): Reply {
  const answer = { status: 401, statuscode: 997, message: 'Unauthorised', data: [] };
  const { headers, ...reply } = envelope(answer, 'v2', 'xml');
  return { ...reply, headers: { ...headers, 'WWW-Authenticate': 'Basic realm="Authorisation Required"' } };
}

function unknownRoute(emulation: Emulation, router: OcsRouter, path: string): OcsAnswer {
  if (router.knows(path) || isKnownApi(emulation.world.versions, path)) {
    const message = `The emulator does not answer this call yet: ${path}`;
    return { status: 501, message, data: [] };
  }
  return { status: 404, message: UNKNOWN_ROUTE, data: [] };
}

function plainMessage(status: number, message: string): Reply {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: phpJson({ message }),
  };
}

function isAdministrator(emulation: Emulation, uid: string): boolean {
  return emulation.world.users.get(uid)?.groups.includes('admin') ?? false;
}

function formatOf(exchange: Exchange): OcsFormat {
  const asked = exchange.query.get('format');
  if (asked !== null) return asked === 'json' ? 'json' : 'xml';
  return headerOf(exchange, 'accept').includes('application/json') ? 'json' : 'xml';
}
