import { appLoginProof } from '@nuqloud/platform';
import type { Instance } from '../domain/instance';
import { RegisteredApps } from '../ports/registered-apps';
import { VerifyAppLogins } from './verify-app-login';

const NONCE = 'A'.repeat(43);

const instance = (id: string, appId: string, secret: string): Instance => ({
  id,
  baseUrl: { origin: `http://${id}.test`, path: '' },
  appApi: { id: appId, version: '0.1.0', secret },
});

class Apps extends RegisteredApps {
  override withAppId(appId: string): Promise<Instance[]> {
    const all = [
      instance('default', 'nuqloud_ai', 'one'),
      instance('second', 'nuqloud_ai', 'two'),
      instance('third', 'twin', 'same'),
      instance('fourth', 'twin', 'same'),
    ];
    return Promise.resolve(all.filter(({ appApi }) => appApi?.id === appId));
  }
}

const verify = (secret: string, { appId = 'nuqloud_ai', version = '0.1.0' } = {}) =>
  new VerifyAppLogins(new Apps()).verify({
    ...{ v: 1, appId, version, nonce: NONCE },
    proof: appLoginProof(secret, NONCE),
  });

describe('the headers of a Nextcloud', () => {
  it('are known by their secret, and say which instance calls', async () => {
    expect(await verify('one')).toEqual({ v: 1, accepted: true, instance: 'default' });
    expect(await verify('two')).toEqual({ v: 1, accepted: true, instance: 'second' });
  });

  it('are refused with the reason', async () => {
    const refusedBy = async (...asked: Parameters<typeof verify>) => {
      const verdict = await verify(...asked);
      return verdict.accepted ? 'accepted' : verdict.reason;
    };
    expect(await refusedBy('three')).toBe('WRONG_SECRET');
    expect(await refusedBy('')).toBe('WRONG_SECRET');
    expect(await refusedBy('one', { appId: 'another_app' })).toBe('UNKNOWN_APP');
    expect(await refusedBy('same', { appId: 'twin' })).toBe('AMBIGUOUS');
  });

  it('of another version are refused with the version that is right, and only when the secret fits', async () => {
    const other = { version: '0.2.0' };
    expect(await verify('one', other)).toMatchObject({ reason: 'WRONG_VERSION', expected: '0.1.0' });
    expect(await verify('three', other)).toEqual({ v: 1, accepted: false, reason: 'WRONG_SECRET' });
  });
});
