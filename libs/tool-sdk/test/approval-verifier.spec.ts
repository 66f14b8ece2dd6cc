import { GRANT_TTL_S, GRANT_TYPE, VerificationKey } from '@nuqloud/contracts';
import type { ActOnApprovalRequest, GrantClaims, PlannedAction, PrivateKeyFile } from '@nuqloud/contracts';
import { actionHash, generateKeys, TokenSigner, TokenVerifier } from '@nuqloud/platform';
import { APPROVAL_ERRORS, ApprovalVerifier } from '../src/approve/approval-verifier';
import { CallVerifier } from '../src/run/call-verifier';
import { attest, callOf } from './attested-call';

let ingress: PrivateKeyFile;
let confirmation: PrivateKeyFile;
let agent: PrivateKeyFile;
let verifier: ApprovalVerifier;

beforeAll(async () => {
  [ingress, confirmation, agent] = (await Promise.all(
    (['talk-ingress', 'confirmation', 'agent'] as const).map((service) => generateKeys(service)),
  )) as [PrivateKeyFile, PrivateKeyFile, PrivateKeyFile];
  const publicKey = ({ signing }: PrivateKeyFile) => ({
    signing: [VerificationKey.parse(signing)],
    nats: 'U',
  });
  const tokens = new TokenVerifier({
    version: 1,
    services: {
      'talk-ingress': publicKey(ingress),
      confirmation: publicKey(confirmation),
      agent: publicKey(agent),
    },
  });
  verifier = new ApprovalVerifier('notes', new CallVerifier(tokens), tokens);
});

const ACTION: PlannedAction = {
  ...{ v: 1, provider: 'notes', tool: 'notes_burn', arguments: { id: '7' } },
  targets: [{ id: '7', name: '/7', revision: '"1"' }],
  ...{ sub: 'users/alice', instance: 'main', bot: 'nuq', room: 'x7k2m9pq', thread: '12', message: '4700' },
  ...{ mode: 'user', profile: null, uid: 'alice', taint: [], language: 'en', zone: null },
  effectHash: 'e'.repeat(64),
};

/** Alice's "yes" to that action, said where she was asked. */
const approval = async (
  over: { action?: object; grant?: Partial<GrantClaims>; signer?: PrivateKeyFile; request?: object } = {},
): Promise<ActOnApprovalRequest> => {
  const action = { ...ACTION, ...over.action };
  const iat = Math.floor(Date.now() / 1_000);
  const grant = await new TokenSigner('confirmation', (over.signer ?? confirmation).signing).sign(
    GRANT_TYPE,
    {
      ...{ aud: 'notes', confirmation: '00000000-0000-4000-8000-000000000001', n: 1, sub: 'users/alice' },
      ...{ hash: actionHash(action), message: '4711', jti: 'j'.repeat(16), iat, exp: iat + GRANT_TTL_S },
      ...over.grant,
    },
  );
  const { callId, context, attestation, text } = callOf(
    await attest(ingress.signing, 'yes', { thread: '12' }),
    'yes',
  );
  return {
    ...{ v: 1, callId, action, grant, attestation, text, context: { ...context, thread: '12' } },
    ...over.request,
  };
};

const codeFor = async (request: ActOnApprovalRequest): Promise<unknown> =>
  verifier.verify(request).then(
    () => 'accepted',
    (error: { code: unknown }) => error.code,
  );

it('accepts what was approved, where it was approved', async () => {
  expect(await codeFor(await approval())).toBe('accepted');
});

it.each([
  ['person', { sub: 'users/bob' }],
  ['instance', { instance: 'other' }],
  ['bot', { bot: 'other' }],
  ['room', { room: 'other123' }],
  ['thread', { thread: '13' }],
  ['thread, being none,', { thread: undefined }],
])('refuses an action of another %s than the answer, though it was granted', async (_field, action) => {
  expect(await codeFor(await approval({ action }))).toBe(APPROVAL_ERRORS.OTHER_PLACE);
});

it('refuses an action that was changed after it was granted', async () => {
  const changed = { action: { ...ACTION, arguments: { id: '8' } } };
  expect(await codeFor(await approval({ request: changed }))).toBe(APPROVAL_ERRORS.OTHER_ACTION);
});

it('refuses an action of another provider', async () => {
  expect(await codeFor(await approval({ action: { provider: 'files' } }))).toBe(
    APPROVAL_ERRORS.OTHER_PROVIDER,
  );
});

it.each<[string, Partial<GrantClaims>]>([
  ['another message', { message: '4712' }],
  ['another person', { sub: 'users/bob' }],
])('refuses a grant for %s', async (_what, grant) => {
  expect(await codeFor(await approval({ grant }))).toBe(APPROVAL_ERRORS.OTHER_ANSWER);
});

it('refuses a grant that is over, for somebody else, or signed by the agent', async () => {
  for (const over of [
    { grant: { iat: 1_000, exp: 1_060 } },
    { grant: { aud: 'files' } },
    { signer: agent },
  ]) {
    expect(await codeFor(await approval(over))).toBe(APPROVAL_ERRORS.INVALID_GRANT);
  }
});
