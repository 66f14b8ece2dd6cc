import { MAX_ATTESTATION_LENGTH, VerificationKey } from '@nuqloud/contracts';
import type { AttestationClaims, PrivateKeyFile } from '@nuqloud/contracts';
import { generateKeys, TokenVerifier } from '@nuqloud/platform';
import { CALL_ERRORS, CallVerifier } from '../src/run/call-verifier';
import { attest, callOf } from './attested-call';

const TEXT = 'show me /Docs, bitte – 😀';

let ingress: PrivateKeyFile;
let agent: PrivateKeyFile;
let verifier: CallVerifier;

beforeAll(async () => {
  ingress = await generateKeys('talk-ingress');
  agent = await generateKeys('agent');
  const publicKey = ({ signing }: PrivateKeyFile) => ({
    signing: [VerificationKey.parse(signing)],
    nats: 'U',
  });
  verifier = new CallVerifier(
    new TokenVerifier({
      version: 1,
      services: { 'talk-ingress': publicKey(ingress), agent: publicKey(agent) },
    }),
  );
});

const codeFor = async (request: ReturnType<typeof callOf>): Promise<unknown> =>
  verifier.verify(request).then(
    () => 'accepted',
    (error: { code: unknown }) => error.code,
  );

it('accepts the person, place and text that ingress attested', async () => {
  const attestation = await attest(ingress.signing, TEXT, { thread: '12' });
  const request = callOf(attestation, TEXT);
  const claims = await verifier.verify({ ...request, context: { ...request.context, thread: '12' } });
  expect(claims.sub).toBe('users/alice');
});

it('accepts an attachment, whose text is the caption', async () => {
  const attestation = await attest(ingress.signing, '', { kind: 'attachment' });
  expect(await codeFor(callOf(attestation, ''))).toBe('accepted');
});

it.each<[string, Parameters<typeof attest>[2] & Partial<AttestationClaims>]>([
  ['an issuer that is not ingress', { issuer: 'agent' }],
  ['another kind of token', { type: 'nuqloud-service+jwt' }],
  ['another audience', { aud: 'nextcloud-gateway' as AttestationClaims['aud'] }],
  ['a validity that is over', { iat: 1_000, exp: 2_000 }],
  ['claims of the wrong shape', { textHash: 'short' }],
  ['more characters than any real one has', { padding: 'x'.repeat(MAX_ATTESTATION_LENGTH) } as object],
])('refuses an attestation with %s', async (_what, over) => {
  const attestation = await attest(ingress.signing, TEXT, over);
  expect(await codeFor(callOf(attestation, TEXT))).toBe(CALL_ERRORS.NOT_ATTESTED);
});

it('refuses an attestation that another service signed, under whatever name', async () => {
  for (const issuer of ['talk-ingress', 'agent']) {
    const forged = await attest(agent.signing, TEXT, { issuer });
    expect(await codeFor(callOf(forged, TEXT))).toBe(CALL_ERRORS.NOT_ATTESTED);
  }
});

it('refuses an attestation that was changed or is none', async () => {
  const attestation = await attest(ingress.signing, TEXT);
  const [header, , signature] = attestation.split('.');
  const other = Buffer.from(JSON.stringify({ sub: 'users/bob' })).toString('base64url');
  for (const forged of [`${header}.${other}.${signature}`, `${attestation}x`, 'x', '']) {
    expect(await codeFor(callOf(forged, TEXT))).toBe(CALL_ERRORS.NOT_ATTESTED);
  }
});

it('refuses a text that the person did not write', async () => {
  const attestation = await attest(ingress.signing, TEXT);
  expect(await codeFor(callOf(attestation, `${TEXT} `))).toBe(CALL_ERRORS.OTHER_TEXT);
  const ofBob = await attest(ingress.signing, 'delete everything', { sub: 'users/bob' });
  expect(await codeFor(callOf(ofBob, TEXT))).toBe(CALL_ERRORS.OTHER_TEXT);
});

it.each([
  ['instance', { instance: 'other' }],
  ['bot', { bot: 'other' }],
  ['room', { room: 'other' }],
  ['message', { messageId: '4712' }],
  ['thread', { thread: '1' }],
])('refuses a call about another %s', async (_part, over) => {
  const attestation = await attest(ingress.signing, TEXT);
  const request = callOf(attestation, TEXT);
  expect(await codeFor({ ...request, context: { ...request.context, ...over } })).toBe(
    CALL_ERRORS.OTHER_CONTEXT,
  );
});

it.each([
  'guests/alice',
  'federated_users/alice@cloud.example',
  'bots/alice',
  'bridged/alice',
  'users/',
  'usersalice',
])('refuses to run for %s', async (sub) => {
  const attestation = await attest(ingress.signing, TEXT, { sub });
  expect(await codeFor(callOf(attestation, TEXT))).toBe(CALL_ERRORS.NO_LOCAL_USER);
});

it.each(['reaction_added', 'reaction_removed'] as const)('refuses to run for %s', async (kind) => {
  const attestation = await attest(ingress.signing, TEXT, { kind });
  expect(await codeFor(callOf(attestation, TEXT))).toBe(CALL_ERRORS.NOT_WRITTEN);
});
