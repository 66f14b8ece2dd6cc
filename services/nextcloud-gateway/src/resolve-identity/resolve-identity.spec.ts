import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import type { AttestationClaims } from '@nuqloud/contracts';
import { TokenVerifier } from '@nuqloud/platform';
import { signAttestation } from '@nuqloud/testing';
import { makeKeys } from '../../test/make-keys';
import { GatewayRefusal } from '../domain/gateway-refusal';
import type { Grant } from '../domain/grants';
import type { Instance } from '../domain/instance';
import { GrantTable } from '../ports/grant-table';
import { InstanceDirectory } from '../ports/instance-directory';
import { ResolveIdentity } from './resolve-identity';
import { requireSameIdentity } from './tool-headers';
import { VerifyAttestation } from './verify-attestation';

const DEFAULT: Instance = {
  id: 'default',
  baseUrl: { origin: 'http://nextcloud.test', path: '' },
  appApi: { id: 'nuqloud_ai', version: '0.1.0', secret: 's' },
};

class OneInstance extends InstanceDirectory {
  override ids = () => Promise.resolve([DEFAULT.id]);

  override get(id: string): Promise<Instance> {
    if (id === DEFAULT.id) return Promise.resolve(DEFAULT);
    return Promise.reject(new GatewayRefusal(GATEWAY_REFUSALS.UNKNOWN_INSTANCE, 'unknown'));
  }
}

class Grants extends GrantTable {
  constructor(private readonly rows: Record<string, Grant[]>) {
    super();
  }

  override ofBot(instance: string, bot: string): Promise<Grant[]> {
    return Promise.resolve(this.rows[`${instance}/${bot}`] ?? []);
  }
}

const user = (tool: string): Grant => ({ tool, mode: 'user', profile: null });

const setUp = async (grants: Grant[] = [user('files_*'), user('calendar_list')]) => {
  const { signerOf, publicKeys } = await makeKeys('talk-ingress', 'agent');
  const identities = new ResolveIdentity(
    new VerifyAttestation(new TokenVerifier(publicKeys)),
    new OneInstance(),
    new Grants({ 'default/nuq': grants }),
  );
  const resolve = async (claims: Partial<AttestationClaims> = {}, tool = 'files_list', instance?: string) =>
    identities.resolve({
      family: 'files',
      tool,
      attestation: await signAttestation(signerOf('talk-ingress'), claims),
      ...(instance !== undefined && { instance }),
    });
  return { identities, signerOf, resolve };
};

describe('ResolveIdentity', () => {
  it('acts as the writer in user mode', async () => {
    const { resolve } = await setUp();
    await expect(resolve({ sub: 'users/Alice Smith' }, 'files_list', 'default')).resolves.toMatchObject({
      mode: 'user',
      profile: null,
      uid: 'Alice Smith',
      instance: { id: 'default' },
    });
  });

  it.each<[string, Partial<AttestationClaims>, string, string | undefined]>([
    [GATEWAY_REFUSALS.WRONG_INSTANCE, {}, 'files_list', 'other'],
    [GATEWAY_REFUSALS.UNKNOWN_INSTANCE, { instance: 'other' }, 'files_list', 'other'],
    [GATEWAY_REFUSALS.NOT_A_LOCAL_USER, { sub: 'guests/7f3a' }, 'files_list', undefined],
    [GATEWAY_REFUSALS.NOT_A_LOCAL_USER, { sub: 'federated_users/a@b/users/alice' }, 'files_list', undefined],
    [GATEWAY_REFUSALS.KIND_CANNOT_ACT, { kind: 'reaction_added' }, 'files_list', undefined],
    [GATEWAY_REFUSALS.FOREIGN_TOOL, {}, 'calendar_list', undefined],
    [GATEWAY_REFUSALS.NOT_GRANTED, {}, 'shares_list', undefined],
    [GATEWAY_REFUSALS.NOT_GRANTED, { bot: 'other' }, 'files_list', undefined],
  ])('refuses with %s: %j, %s, %s', async (code, claims, tool, instance) => {
    const { resolve } = await setUp();
    await expect(resolve(claims, tool, instance)).rejects.toMatchObject({ code });
  });

  it('refuses agent mode with its reason', async () => {
    const { resolve } = await setUp([user('files_*'), { tool: 'files_list', mode: 'agent', profile: 'w' }]);
    await expect(resolve()).rejects.toMatchObject({ code: GATEWAY_REFUSALS.AGENT_MODE_UNAVAILABLE });
    await expect(resolve({}, 'files_read')).resolves.toMatchObject({ mode: 'user' });
  });

  it('refuses an attestation that is forged, expired, of another kind, or no token at all', async () => {
    const { identities, signerOf } = await setUp();
    const ingress = signerOf('talk-ingress');
    const now = Math.floor(Date.now() / 1000);
    for (const attestation of [
      await signAttestation(signerOf('agent')),
      await signAttestation(signerOf('agent'), { iss: 'talk-ingress' }),
      await signAttestation(ingress, { iat: now - 3_600, exp: now - 1 }),
      await signAttestation(ingress, { aud: 'somebody' as never }),
      await signAttestation(ingress, {}, 'nuqloud-service+jwt'),
      (await signAttestation(ingress)).slice(0, -4),
      'x',
      'x'.repeat(10_000),
    ]) {
      await expect(
        identities.resolve({ family: 'files', tool: 'files_list', attestation }),
      ).rejects.toMatchObject({ code: GATEWAY_REFUSALS.INVALID_ATTESTATION });
    }
  });
});

describe('requireSameIdentity', () => {
  const identity = { mode: 'user', profile: null, uid: 'alice smith' } as const;
  const headers = { 'x-nuqloud-mode': 'user', 'x-nuqloud-uid': 'alice%20smith' };

  it('accepts what the gateway resolved itself', () => {
    requireSameIdentity(headers, identity);
    requireSameIdentity({ ...headers, 'x-nuqloud-profile': '' }, identity);
  });

  it.each([
    {},
    { 'x-nuqloud-mode': 'user' },
    { ...headers, 'x-nuqloud-mode': 'agent' },
    { ...headers, 'x-nuqloud-profile': 'workspace' },
    { ...headers, 'x-nuqloud-uid': 'bob' },
    { ...headers, 'x-nuqloud-uid': 'Alice%20smith' },
    { ...headers, 'x-nuqloud-uid': 'alice%2520smith' },
    { ...headers, 'x-nuqloud-uid': '%' },
    { ...headers, 'x-nuqloud-uid': 'alice%20smith, bob' },
  ])('refuses %j', (received) => {
    let refusal: unknown;
    try {
      requireSameIdentity(received, identity);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toMatchObject({ code: GATEWAY_REFUSALS.IDENTITY_MISMATCH, status: 403 });
  });
});
