import type { IncomingHttpHeaders } from 'node:http';
import { headerOf } from '../http/exchange';
import { findUserIgnoringCase } from '../world/actors';
import type { ExApp, World } from '../world/world';
import type { Identity } from './identity';

/**
 * Nextcloud's order of logins, as far as an API client meets it: AppAPI, then Basic. A failing AppAPI login does
 * not end the request; it goes on with whatever else it carries, and else as nobody.
 */
export function authenticate(world: World, headers: IncomingHttpHeaders, path: string): Identity {
  const appApi = headerOf({ headers }, 'authorization-app-api');
  if (appApi !== '') {
    const identity = authenticateExApp(world, headers, appApi, path);
    if (identity) return identity;
  }
  const authorization = headerOf({ headers }, 'authorization');
  if (/^basic /i.test(authorization)) {
    return authenticateBasic(world, authorization.slice(6)) ?? { kind: 'anonymous', refused: 'basic' };
  }
  if (/^bearer /i.test(authorization)) return { kind: 'anonymous', refused: 'bearer' };
  return { kind: 'anonymous', refused: appApi === '' ? null : 'appapi' };
}

/** The checks of AppAPI in their order: app known, secret, enabled, version given (and raised), user exists. */
function authenticateExApp(
  world: World,
  headers: IncomingHttpHeaders,
  credential: string,
  path: string,
): Identity | undefined {
  const exApp = world.exApp;
  if (!exApp || headerOf({ headers }, 'ex-app-id') !== exApp.id) return undefined;
  const [claimed, secret] = splitCredential(credential);
  if (secret !== exApp.secret) return undefined;
  if (!exApp.enabled && !isOpenToDisabled(exApp, path)) return undefined;
  const version = headerOf({ headers }, 'ex-app-version');
  if (version === '') return undefined;
  if (compareVersions(version, exApp.version) > 0) exApp.version = version;
  if (claimed === '') return { kind: 'exapp' };
  const user = findUserIgnoringCase(world, claimed);
  return user && { kind: 'user', uid: user.id, via: 'appapi', claimed };
}

/** Whether it is enabled an app may always ask; its progress it may report while it is being installed. */
function isOpenToDisabled(exApp: ExApp, path: string): boolean {
  const call = /^\/ocs\/v[12]\.php\/apps\/app_api\/ex-app\/(state|status)$/.exec(path)?.[1];
  return call === 'state' || (call === 'status' && exApp.progress < 100);
}

/** A login name is the user id in any case, or the e-mail address. */
function authenticateBasic(world: World, credential: string): Identity | undefined {
  const [login, password] = splitCredential(credential);
  const user =
    findUserIgnoringCase(world, login) ??
    [...world.users.values()].find((one) => one.email !== null && one.email === login);
  if (!user || user.password === null || password !== user.password) return undefined;
  return { kind: 'user', uid: user.id, via: 'basic', claimed: user.id };
}

function splitCredential(base64: string): [name: string, secret: string] {
  const text = Buffer.from(base64, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
}

function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
