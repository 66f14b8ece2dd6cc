import { createHash } from 'node:crypto';
import type { AuditRecordBody, PrivateKeyFile, PublicKeyFile, SigningKey } from '@nuqloud/contracts';
import fc from 'fast-check';
import { generateKeys } from '../keys/key-files';
import { TokenSigner } from '../tokens/token-signer';
import { AuditSigner, AuditVerifier } from './audit-signature';

let keys: Record<AuditRecordBody['service'], PrivateKeyFile>;
let verifier: AuditVerifier;

/** `public.json` with these signing keys. */
const publicKeysOf = (signing: Record<string, SigningKey[]>): PublicKeyFile => ({
  version: 1,
  services: Object.fromEntries(
    Object.entries(signing).map(([service, own]) => [
      service,
      { signing: own.map(({ d: _d, ...known }) => known), nats: 'U' },
    ]),
  ),
});

beforeAll(async () => {
  keys = {
    confirmation: await generateKeys('confirmation'),
    'nextcloud-gateway': await generateKeys('nextcloud-gateway'),
  };
  verifier = new AuditVerifier(
    publicKeysOf({
      confirmation: [keys.confirmation.signing],
      'nextcloud-gateway': [keys['nextcloud-gateway'].signing],
    }),
  );
});

const signed = (record: AuditRecordBody, signer = record.service) =>
  new AuditSigner(keys[signer].signing).sign(record);

const asRead = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 });
const slug = fc.stringMatching(/^[a-z0-9-]{1,40}$/);
const at = fc
  .date({ min: new Date('2026-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const base = {
  v: fc.constant(1 as const),
  id: fc.uuid(),
  at,
  instance: slug,
  bot: slug,
  room: fc.stringMatching(/^[a-z0-9]{4,30}$/),
  message: fc.stringMatching(/^[0-9]{1,20}$/),
  person: text,
};
const ofConfirmation = { ...base, service: fc.constant('confirmation' as const) };
const ofGateway = { ...base, service: fc.constant('nextcloud-gateway' as const) };
const mode = fc.constantFrom('user' as const, 'agent' as const);
const aboutAction = {
  confirmation: fc.uuid(),
  n: fc.integer({ min: 1, max: 10 }),
  provider: slug,
  tool: fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_-]{0,20}$/),
  hash: text.map((value) => createHash('sha256').update(value).digest('hex')),
};
const target = fc.record({ id: text, name: text, revision: fc.option(text) });

const records: fc.Arbitrary<AuditRecordBody> = fc.oneof(
  fc.record({
    ...ofConfirmation,
    ...aboutAction,
    kind: fc.constant('action.proposed' as const),
    targets: fc.array(target, { maxLength: 3 }),
    mode: fc.option(mode),
    profile: fc.option(slug),
  }),
  fc.record({
    ...ofConfirmation,
    kind: fc.constant('confirmation.answered' as const),
    confirmation: fc.uuid(),
    verdict: fc.constantFrom('approved' as const, 'rejected' as const, 'code-asked' as const),
  }),
  fc.record({
    ...ofConfirmation,
    ...aboutAction,
    kind: fc.constant('action.settled' as const),
    outcome: fc.constantFrom('done' as const, 'failed' as const, 'unknown' as const),
  }),
  fc.record({
    ...ofGateway,
    kind: fc.constant('nextcloud.write' as const),
    caller: slug,
    tool: fc.constant('files_write'),
    mode,
    profile: fc.option(slug),
    uid: text,
    method: fc.constantFrom('PUT', 'MOVE'),
    path: text,
    destination: text,
  }),
  fc.record({
    ...ofGateway,
    kind: fc.constant('nextcloud.written' as const),
    attempt: fc.uuid(),
    status: fc.option(fc.integer({ min: 100, max: 599 })),
  }),
);

/** Every value in it, by its place. */
const leaves = (value: unknown, place: readonly string[] = []): (readonly string[])[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, member]) => leaves(member, [...place, key]))
    : [place];

/** A copy in which that value is another one of the same kind. */
const changed = (value: unknown, [key, ...rest]: readonly string[]): unknown => {
  if (key !== undefined) {
    const copy = structuredClone(value) as Record<string, unknown>;
    copy[key] = changed(copy[key], rest);
    return copy;
  }
  if (typeof value === 'number') return value + 1;
  if (typeof value !== 'string') return 'x';
  return (value.startsWith('0') ? '1' : '0') + value.slice(1);
};

it('takes what the service recorded, unchanged', () => {
  fc.assert(
    fc.property(records, (record) => {
      expect(verifier.genuine(asRead(signed(record)))).toEqual(asRead(record));
    }),
  );
});

it('takes no record in which anything was changed', () => {
  fc.assert(
    fc.property(records, fc.nat(), (record, which) => {
      const message = signed(record);
      const places = leaves(message);
      const forged = changed(message, places[which % places.length] ?? []);
      expect(verifier.genuine(asRead(forged))).toBeUndefined();
    }),
    { numRuns: 500 },
  );
});

const ANSWERED: AuditRecordBody = {
  v: 1,
  id: '0f0c6f0e-6f0e-4b5f-9d55-1f0b3f0c6f0e',
  at: '2026-03-01T12:00:00.000Z',
  instance: 'default',
  bot: 'nuq',
  room: 'x7k2m9pq',
  message: '1567',
  person: 'users/alice',
  service: 'confirmation',
  kind: 'confirmation.answered',
  confirmation: '3f0c6f0e-6f0e-4b5f-9d55-1f0b3f0c6f0e',
  verdict: 'approved',
};

it('takes no record that another service signed', () => {
  expect(verifier.genuine(signed(ANSWERED, 'nextcloud-gateway'))).toBeUndefined();
  const { kid } = keys.confirmation.signing;
  expect(verifier.genuine({ ...signed(ANSWERED, 'nextcloud-gateway'), kid })).toBeUndefined();
});

it('takes no signature of another record', () => {
  const { signature } = signed({ ...ANSWERED, verdict: 'rejected' });
  expect(verifier.genuine({ ...signed(ANSWERED), signature })).toBeUndefined();
});

it('takes no token that the service signed for something else', async () => {
  const token = await new TokenSigner('confirmation', keys.confirmation.signing).sign('grant', {
    ...ANSWERED,
  });
  const signature = token.split('.')[2] ?? '';
  expect(verifier.genuine({ ...signed(ANSWERED), signature })).toBeUndefined();
});

it('signs nothing that is not part of a record', () => {
  const record = { ...ANSWERED, title: 'what a caller left in it' };
  const message = signed(record);
  expect(message.record).toEqual(ANSWERED);
  expect(verifier.genuine(message)).toEqual(ANSWERED);
});

it('takes records of every key that the service has in public.json, and of no other', async () => {
  const old = signed(ANSWERED);
  const renewed = await generateKeys('confirmation');
  const after = (...own: SigningKey[]) => new AuditVerifier(publicKeysOf({ confirmation: own }));
  expect(after(renewed.signing, keys.confirmation.signing).genuine(old)).toEqual(ANSWERED);
  expect(after(renewed.signing).genuine(old)).toBeUndefined();
});

it.each<[string, unknown]>([
  ['an answer of JetStream', { type: 'io.nats.jetstream.api.v1.consumer_info_response' }],
  ['nothing', null],
  ['a record without a signature', ANSWERED],
  ['a signature that is none', { v: 1, record: ANSWERED, kid: 'k', signature: 'none' }],
])('takes %s for noise', (_what, body) => {
  expect(verifier.genuine(body)).toBeUndefined();
});

it('takes a text that nobody can sign for noise', () => {
  const half = { ...ANSWERED, person: 'users/\ud83d' };
  expect(verifier.genuine({ ...signed(ANSWERED), record: half })).toBeUndefined();
});
