import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import { generateKeys, TokenSigner, TokenVerifier } from '@nuqloud/platform';
import { signServiceToken } from '@nuqloud/testing';
import { makeKeys } from '../../test/make-keys';
import { ReplayGuard } from '../ports/replay-guard';
import { AuthenticateCaller } from './authenticate-caller';

class FirstUses extends ReplayGuard {
  readonly used = new Set<string>();

  override isFirstUse({ issuer, id }: { issuer: string; id: string }): Promise<boolean> {
    const key = `${issuer}:${id}`;
    const first = !this.used.has(key);
    this.used.add(key);
    return Promise.resolve(first);
  }
}

const PATH = '/nextcloud/default/remote.php/dav/files/alice/?x=1';
const REQUEST = { method: 'PROPFIND', path: PATH };
const { UNAUTHENTICATED_SERVICE, TOKEN_REPLAYED } = GATEWAY_REFUSALS;

const setUp = async () => {
  const keys = await makeKeys('tool-files', 'agent', 'talk-ingress');
  const replays = new FirstUses();
  const caller = new AuthenticateCaller(new TokenVerifier(keys.publicKeys), replays);
  const present = (authorization: string | undefined, method = 'PROPFIND', url = PATH) =>
    caller.authenticate({ method, url, headers: authorization === undefined ? {} : { authorization } });
  return { ...keys, replays, present };
};

describe('AuthenticateCaller', () => {
  it('knows the family from the key of the service', async () => {
    const { signerOf, present } = await setUp();
    const token = await signServiceToken(signerOf('tool-files'), REQUEST);
    await expect(present(`Bearer ${token}`)).resolves.toEqual({
      service: 'tool-files',
      family: 'files',
    });
  });

  it('refuses a token at its second use', async () => {
    const { signerOf, present } = await setUp();
    const token = await signServiceToken(signerOf('tool-files'), REQUEST);
    await present(`Bearer ${token}`);
    await expect(present(`Bearer ${token}`)).rejects.toMatchObject({ code: TOKEN_REPLAYED, status: 401 });
  });

  it('refuses a token for another method, path or query', async () => {
    const { signerOf, present, replays } = await setUp();
    const token = `Bearer ${await signServiceToken(signerOf('tool-files'), REQUEST)}`;
    await expect(present(token, 'GET')).rejects.toMatchObject({ code: UNAUTHENTICATED_SERVICE });
    await expect(present(token, 'PROPFIND', `${PATH}0`)).rejects.toMatchObject({ status: 401 });
    await expect(present(token, 'PROPFIND', '/resolve')).rejects.toMatchObject({ status: 401 });
    expect(replays.used.size).toBe(0);
  });

  it.each([undefined, '', 'Bearer ', 'Bearer x', 'Bearer a.b.c', 'Basic YTpi', 'Bearer e30.e30.e30'])(
    'refuses the header %j',
    async (authorization) => {
      const { present } = await setUp();
      await expect(present(authorization)).rejects.toMatchObject({ code: UNAUTHENTICATED_SERVICE });
    },
  );

  it('refuses services that have no family', async () => {
    const { signerOf, present } = await setUp();
    for (const service of ['agent', 'talk-ingress'] as const) {
      const token = await signServiceToken(signerOf(service), REQUEST);
      await expect(present(`Bearer ${token}`)).rejects.toMatchObject({ code: UNAUTHENTICATED_SERVICE });
    }
  });

  it('refuses a token that another service signed in the name of a tool service', async () => {
    const { present } = await setUp();
    const { signing } = await generateKeys('tool-files');
    const forged = await signServiceToken(new TokenSigner('tool-files', signing), REQUEST);
    await expect(present(`Bearer ${forged}`)).rejects.toMatchObject({ code: UNAUTHENTICATED_SERVICE });
  });

  it('refuses an expired, a long-lived, a foreign and a differently typed token', async () => {
    const { signerOf, present } = await setUp();
    const signer = signerOf('tool-files');
    const now = Math.floor(Date.now() / 1000);
    for (const token of [
      await signServiceToken(signer, REQUEST, { iat: now - 120, exp: now - 60 }),
      await signServiceToken(signer, REQUEST, { exp: now + 3_600 }),
      await signServiceToken(signer, REQUEST, { aud: 'nuqloud-services' as never }),
      await signServiceToken(signer, REQUEST, { jti: 'short' }),
      await signServiceToken(signer, REQUEST, {}, 'nuqloud-attestation+jwt'),
    ]) {
      await expect(present(`Bearer ${token}`)).rejects.toMatchObject({ code: UNAUTHENTICATED_SERVICE });
    }
  });

  it('never says what the token held', async () => {
    const { signerOf, present } = await setUp();
    const token = await signServiceToken(signerOf('agent'), { method: 'GET', path: '/canary' });
    const refusal: unknown = await present(`Bearer ${token}`).catch((error: unknown) => error);
    expect(String(refusal)).toContain('service token');
    expect(String(refusal)).not.toContain('canary');
  });
});
