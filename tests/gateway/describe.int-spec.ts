import type { AttestationClaims } from '@nuqloud/contracts';
import { DescribeInstance, DescribePerson, GATEWAY_REFUSALS } from '@nuqloud/contracts';
import { startEmulator } from '@nuqloud/nextcloud-emulator';
import type { Emulator } from '@nuqloud/nextcloud-emulator';
import type { Bus } from '@nuqloud/messaging';
import { APP_SECRET, GatewayBed } from './gateway-bed';

jest.setTimeout(60_000);

const FIXTURE = {
  nextcloud: { version: '32.0.1', apps: ['spreed', 'app_api'] },
  users: [
    {
      id: 'alice',
      displayName: 'Alice Adams',
      language: 'de',
      timezone: 'Europe/Berlin',
      groups: ['team', 'staff'],
    },
    { id: 'bob' },
  ],
  appApi: { id: 'nuqloud_ai', secret: APP_SECRET },
};

let bed: GatewayBed;
let emulator: Emulator;
let agent: Bus;

beforeAll(async () => {
  bed = await GatewayBed.start();
  emulator = await startEmulator({ fixture: FIXTURE, webRoot: '/nextcloud' });
  await bed.startGateway({ default: emulator.url, gone: 'http://127.0.0.1:9' });
  agent = await bed.stores.busOf('agent');
});
afterAll(async () => {
  await bed.close();
  await emulator.close();
});

const describeInstance = (instance: string) => agent.request(DescribeInstance, {}, { v: 1, instance });
const describePerson = async (claims: Partial<AttestationClaims>) =>
  agent.request(DescribePerson, {}, { v: 1, attestation: await bed.attest(claims) });

describe('an instance', () => {
  it('is described by version and apps', async () => {
    const described = await describeInstance('default');
    expect(described).toMatchObject({ instance: 'default', nextcloud: { major: 32, version: '32.0.1' } });
    expect(described.apps).toContain('spreed');
  });

  it('that nobody serves is an error for good', async () => {
    await expect(describeInstance('nowhere')).rejects.toMatchObject({
      code: GATEWAY_REFUSALS.UNKNOWN_INSTANCE,
      retryable: false,
    });
  });

  it('that is away is an error that may pass', async () => {
    await expect(describeInstance('gone')).rejects.toMatchObject({
      code: GATEWAY_REFUSALS.UNREACHABLE,
      retryable: true,
    });
  });
});

describe('a person', () => {
  it('is described to whoever holds the attestation', async () => {
    await expect(describePerson({ sub: 'users/alice' })).resolves.toEqual({
      v: 1,
      uid: 'alice',
      displayName: 'Alice Adams',
      language: 'de',
      zone: 'Europe/Berlin',
      groups: ['team', 'staff'],
    });
    await expect(describePerson({ sub: 'users/bob' })).resolves.toMatchObject({ uid: 'bob', zone: null });
  });

  it.each<[string, Partial<AttestationClaims>, string]>([
    ['a guest', { sub: 'guests/alice' }, GATEWAY_REFUSALS.NOT_A_LOCAL_USER],
    ['a federated user', { sub: 'federated_users/alice@x' }, GATEWAY_REFUSALS.NOT_A_LOCAL_USER],
    ['somebody in another case', { sub: 'users/Alice' }, GATEWAY_REFUSALS.NOT_THAT_PERSON],
    ['whoever reacted', { kind: 'reaction_added' }, GATEWAY_REFUSALS.KIND_CANNOT_ACT],
    ['somebody elsewhere', { instance: 'nowhere' }, GATEWAY_REFUSALS.UNKNOWN_INSTANCE],
  ])('is not described when it is %s', async (_who, claims, code) => {
    await expect(describePerson(claims)).rejects.toMatchObject({ code, retryable: false });
  });

  it('is not described without a valid attestation', async () => {
    const asked = agent.request(DescribePerson, {}, { v: 1, attestation: 'nonsense' });
    await expect(asked).rejects.toMatchObject({ code: GATEWAY_REFUSALS.INVALID_ATTESTATION });
  });
});
