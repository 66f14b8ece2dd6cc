import type { IncomingHttpHeaders } from 'node:http';
import { worldOf } from '../../test/worlds';
import type { World } from '../world/world';
import { authenticate } from './authenticate';

const base64 = (text: string) => Buffer.from(text).toString('base64');

const STATE = '/ocs/v1.php/apps/app_api/ex-app/state';
const STATUS = '/ocs/v2.php/apps/app_api/ex-app/status';
const identify = (world: World, headers: IncomingHttpHeaders, path = '/ocs/v2.php/cloud/user') =>
  authenticate(world, headers, path);

describe('authenticate', () => {
  const world = () =>
    worldOf({
      appApi: { id: 'nuqloud_ai', secret: 'app-secret' },
      users: [{ id: 'Alice', email: 'alice@cloud.example', password: 'pa:ss' }, { id: 'nopass' }],
    });
  const appApi = (user: string, secret = 'app-secret') => ({
    'ex-app-id': 'nuqloud_ai',
    'ex-app-version': '1.2.0',
    'authorization-app-api': base64(`${user}:${secret}`),
  });

  it('lets the app act as a user, in any case of the id', () => {
    expect(identify(world(), appApi('alice'))).toEqual({
      kind: 'user',
      uid: 'Alice',
      via: 'appapi',
      claimed: 'alice',
    });
  });

  it('knows the app without a user', () => {
    expect(identify(world(), appApi(''))).toEqual({ kind: 'exapp' });
  });

  it.each([
    ['another app id', { ...appApi('Alice'), 'ex-app-id': 'other' }],
    ['a wrong secret', appApi('Alice', 'wrong')],
    ['an empty version', { ...appApi('Alice'), 'ex-app-version': '' }],
    ['an unknown user', appApi('zoe')],
  ])('goes on as nobody after %s', (_, headers) => {
    expect(identify(world(), headers)).toEqual({ kind: 'anonymous', refused: 'appapi' });
  });

  it('goes on with Basic after a failed AppAPI login', () => {
    const headers = { ...appApi('Alice', 'wrong'), authorization: `Basic ${base64('Alice:pa:ss')}` };
    expect(identify(world(), headers)).toMatchObject({ kind: 'user', uid: 'Alice', via: 'basic' });
  });

  it('does not let anybody act while the app is disabled', () => {
    const disabled = disabledAt(100);
    expect(identify(disabled, appApi('Alice'))).toEqual({ kind: 'anonymous', refused: 'appapi' });
  });

  it('always lets the app ask whether it is enabled, and report its progress while it is installed', () => {
    expect(identify(disabledAt(100), appApi(''), STATE)).toEqual({ kind: 'exapp' });
    expect(identify(disabledAt(40), appApi(''), STATUS)).toEqual({ kind: 'exapp' });
    expect(identify(disabledAt(100), appApi(''), STATUS)).toMatchObject({ refused: 'appapi' });
  });

  const disabledAt = (progress: number): World => {
    const disabled = world();
    if (disabled.exApp) Object.assign(disabled.exApp, { enabled: false, progress });
    return disabled;
  };

  it('raises the stored version of the app and never lowers it', () => {
    const known = world();
    identify(known, { ...appApi('Alice'), 'ex-app-version': '1.10.0' });
    identify(known, { ...appApi('Alice'), 'ex-app-version': '1.9.0' });
    expect(known.exApp?.version).toBe('1.10.0');
  });

  it.each(['alice:pa:ss', 'ALICE:pa:ss', 'alice@cloud.example:pa:ss'])('takes the login %s', (credential) => {
    expect(identify(world(), { authorization: `Basic ${base64(credential)}` })).toMatchObject({
      uid: 'Alice',
    });
  });

  it.each(['alice:pa', 'alice:', 'nopass:', 'zoe:x', 'alice'])('refuses the login %s', (credential) => {
    const identity = identify(world(), { authorization: `basic ${base64(credential)}` });
    expect(identity).toEqual({ kind: 'anonymous', refused: 'basic' });
  });

  it('tells a bad bearer token from nothing at all', () => {
    expect(identify(world(), { authorization: 'Bearer x' })).toEqual({
      kind: 'anonymous',
      refused: 'bearer',
    });
    expect(identify(world(), {})).toEqual({ kind: 'anonymous', refused: null });
  });
});
