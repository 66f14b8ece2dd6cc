import { Readable } from 'node:stream';
import type { AttestationClaims } from '@nuqloud/contracts';
import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import type { RunningGateway } from '@nuqloud/nextcloud-gateway';
import { startEmulator } from '@nuqloud/nextcloud-emulator';
import type { Emulator } from '@nuqloud/nextcloud-emulator';
import { TokenSigner } from '@nuqloud/platform';
import { signAttestation, signServiceToken } from '@nuqloud/testing';
import { APP_SECRET, GatewayBed } from './gateway-bed';
import type { Asked } from './gateway-bed';

const OWN_FILE = '/remote.php/dav/files/alice/plan.md';
const {
  UNAUTHENTICATED_SERVICE,
  TOKEN_REPLAYED,
  INVALID_ATTESTATION,
  WRONG_INSTANCE,
  UNKNOWN_INSTANCE,
  NOT_A_LOCAL_USER,
  KIND_CANNOT_ACT,
  FOREIGN_TOOL,
  NOT_GRANTED,
  IDENTITY_MISMATCH,
  INVALID_REQUEST,
  INVALID_PATH,
  NOT_ALLOWED,
  NOT_FOUND,
  NOT_THAT_PERSON,
  TOO_LARGE,
} = GATEWAY_REFUSALS;

jest.setTimeout(60_000);

let bed: GatewayBed;
let emulator: Emulator;
let gateway: RunningGateway;

beforeAll(async () => {
  bed = await GatewayBed.start();
  emulator = await startEmulator({
    fixture: {
      users: [{ id: 'alice' }, { id: 'bob' }],
      appApi: { id: 'nuqloud_ai', secret: APP_SECRET },
      files: { alice: { '/plan.md': 'plan' }, bob: { '/secret.md': 'of Bob' } },
    },
  });
  gateway = await bed.startGateway({ default: emulator.url, second: emulator.url });
});
afterAll(async () => {
  await bed.close();
  await emulator.close();
});

const requestsSoFar = async (): Promise<number> => {
  const answer = await fetch(`${emulator.url}/_emulator/requests?after=0`);
  return ((await answer.json()) as { requests: unknown[] }).requests.length;
};

/** Asks, and makes sure that a refusal is the gateway's own and that Nextcloud heard nothing of it. */
const refusedWith = async (asked: Partial<Asked>): Promise<[status: number, code: string | undefined]> => {
  const before = await requestsSoFar();
  const { status, code, body } = await bed.ask(gateway, { path: OWN_FILE, ...asked });
  expect(await requestsSoFar()).toBe(before);
  expect(body.toString('utf8')).not.toContain(APP_SECRET);
  return [status, code];
};

describe('the caller', () => {
  const withToken = (authorization: string | undefined) => refusedWith({ headers: { authorization } });
  const request = { method: 'GET', path: `/nextcloud/default${OWN_FILE}` };
  const signerOf = async (service: string, name = service) =>
    new TokenSigner(name, (await bed.stores.keysOf(service)).signing);

  it('needs a service token', async () => {
    expect(await withToken(undefined)).toEqual([401, UNAUTHENTICATED_SERVICE]);
    expect(await withToken('Bearer nonsense')).toEqual([401, UNAUTHENTICATED_SERVICE]);
    expect(await withToken('Basic YWxpY2U6cGFzcw==')).toEqual([401, UNAUTHENTICATED_SERVICE]);
  });

  it('must be a tool service, by its own key', async () => {
    const ofAgent = await signServiceToken(await signerOf('agent'), request);
    expect(await withToken(`Bearer ${ofAgent}`)).toEqual([401, UNAUTHENTICATED_SERVICE]);
    const forged = await signServiceToken(await signerOf('agent', 'tool-files'), request);
    expect(await withToken(`Bearer ${forged}`)).toEqual([401, UNAUTHENTICATED_SERVICE]);
  });

  it('needs a token for this very request', async () => {
    for (const other of [
      { ...request, method: 'HEAD' },
      { ...request, path: `/nextcloud/second${OWN_FILE}` },
      { ...request, path: `${request.path}?x` },
    ]) {
      expect(await withToken(`Bearer ${await bed.serviceToken(other)}`)).toEqual([
        401,
        UNAUTHENTICATED_SERVICE,
      ]);
    }
  });

  it('cannot use a token twice', async () => {
    const headers = { authorization: `Bearer ${await bed.serviceToken(request)}` };
    expect((await bed.ask(gateway, { path: OWN_FILE, headers })).status).toBe(200);
    expect(await refusedWith({ headers })).toEqual([401, TOKEN_REPLAYED]);
  });
});

describe('the attestation', () => {
  const withAttestation = (attestation: string | undefined) =>
    refusedWith({ headers: { 'x-nuqloud-attestation': attestation } });

  it('must be there and talk-ingress must have signed it', async () => {
    expect(await withAttestation(undefined)).toEqual([403, INVALID_ATTESTATION]);
    expect(await withAttestation('nonsense')).toEqual([403, INVALID_ATTESTATION]);
    for (const service of ['tool-files', 'agent', 'nextcloud-gateway']) {
      const { signing } = await bed.stores.keysOf(service);
      for (const name of [service, 'talk-ingress']) {
        const forged = await signAttestation(new TokenSigner(name, signing));
        expect(await withAttestation(forged)).toEqual([403, INVALID_ATTESTATION]);
      }
    }
  });

  it('must not have expired', async () => {
    const now = Math.floor(Date.now() / 1000);
    expect(await refusedWith({ attested: { iat: now - 1_900, exp: now - 100 } })).toEqual([
      403,
      INVALID_ATTESTATION,
    ]);
  });

  it.each<[string, Partial<AttestationClaims>, string]>([
    ['a guest', { sub: 'guests/7f3a' }, NOT_A_LOCAL_USER],
    ['a federated user', { sub: 'federated_users/alice@other.example' }, NOT_A_LOCAL_USER],
    ['a bot', { sub: 'bots/bot-0a1b' }, NOT_A_LOCAL_USER],
    ['a bridge', { sub: 'bridged/bridge-bot' }, NOT_A_LOCAL_USER],
    ['the account of the bridge', { sub: 'users/bridge-bot' }, NOT_A_LOCAL_USER],
    ['a reaction', { kind: 'reaction_added' }, KIND_CANNOT_ACT],
    ['a reaction taken back', { kind: 'reaction_removed' }, KIND_CANNOT_ACT],
    ['a message of another instance', { instance: 'second' }, WRONG_INSTANCE],
    ['a message to a bot without this tool', { bot: 'other' }, NOT_GRANTED],
    ['a message to a bot of another instance', { instance: 'second' }, WRONG_INSTANCE],
  ])('of %s makes nobody act', async (_whose, attested, code) => {
    expect(await refusedWith({ attested })).toEqual([403, code]);
    const resolved = await bed.resolve(gateway, { attested });
    if (code !== WRONG_INSTANCE) expect([resolved.status, resolved.code]).toEqual([403, code]);
    else expect(resolved.code).toBe(NOT_GRANTED);
  });

  it('of an instance that is not served makes nobody act', async () => {
    const elsewhere = { instance: 'nowhere', attested: { instance: 'nowhere' } };
    const [, code] = await refusedWith(elsewhere);
    expect([UNKNOWN_INSTANCE, NOT_GRANTED]).toContain(code);
  });
});

describe('a write', () => {
  const put = { method: 'PUT', tool: 'files_write', body: 'new' };

  it.each(['files_list', 'files_read', 'files_mkdir', 'files_move'])('is not made by %s', async (tool) => {
    expect(await refusedWith({ ...put, tool })).toEqual([403, NOT_ALLOWED]);
  });

  it('is not made in the files of somebody else, nor to the root of the own', async () => {
    expect(await refusedWith({ ...put, path: '/remote.php/dav/files/bob/a.md' })).toEqual([403, NOT_ALLOWED]);
    const root = { method: 'DELETE', tool: 'files_delete', path: '/remote.php/dav/files/alice/' };
    expect(await refusedWith(root)).toEqual([403, NOT_ALLOWED]);
  });

  it('does not lead out of the own files of this Nextcloud', async () => {
    const move = { method: 'MOVE', tool: 'files_move' };
    const to = (destination: string | undefined) => refusedWith({ ...move, headers: { destination } });
    expect(await to(undefined)).toEqual([400, INVALID_PATH]);
    expect(await to('/remote.php/dav/files/alice/../bob/a.md')).toEqual([400, INVALID_PATH]);
    expect(await to('/remote.php/dav/files/bob/a.md')).toEqual([403, NOT_ALLOWED]);
    expect(await to('https://evil.example/remote.php/dav/files/alice/a.md')).toEqual([403, NOT_ALLOWED]);
    expect(await to('/remote.php/dav/trashbin/alice/restore/a.md')).toEqual([403, NOT_ALLOWED]);
  });

  it('is not handed on when it is too long or has no length', async () => {
    const declared = { 'content-length': String(300 * 1024 * 1024) };
    expect(await refusedWith({ ...put, headers: declared, body: Readable.from([]) })).toEqual([
      413,
      TOO_LARGE,
    ]);
    expect(await refusedWith({ ...put, body: Readable.from(['ne', 'w']) })).toEqual([400, INVALID_REQUEST]);
  });

  it('of the trash is restored from, not emptied', async () => {
    const trash = '/remote.php/dav/trashbin/alice/trash';
    for (const path of [trash, `${trash}/plan.md.d1700000000`]) {
      for (const tool of ['files_delete', 'files_restore']) {
        expect(await refusedWith({ method: 'DELETE', tool, path })).toEqual([403, NOT_ALLOWED]);
      }
    }
  });
});

describe('the tool', () => {
  it('must be named', async () => {
    expect(await refusedWith({ headers: { 'x-nuqloud-tool': undefined } })).toEqual([400, INVALID_REQUEST]);
    expect(await refusedWith({ headers: { 'x-nuqloud-tool': 'files list' } })).toEqual([
      400,
      INVALID_REQUEST,
    ]);
  });

  it('must be one of the own family, granted or not', async () => {
    expect(await refusedWith({ tool: 'calendar_list' })).toEqual([403, FOREIGN_TOOL]);
    expect(await refusedWith({ tool: 'deck_boards' })).toEqual([403, FOREIGN_TOOL]);
  });

  it('must have been given to the bot', async () => {
    expect(await refusedWith({ tool: 'files_append' })).toEqual([403, NOT_GRANTED]);
    expect((await bed.ask(gateway, { path: OWN_FILE, tool: 'files_read' })).status).toBe(200);
  });

  it('is the same in header and body when it asks who it is', async () => {
    const answer = await bed.resolve(gateway, { body: JSON.stringify({ v: 1, tool: 'files_read' }) });
    expect([answer.status, answer.code]).toEqual([400, INVALID_REQUEST]);
    for (const body of ['', '{', '[]', '{"v":2,"tool":"files_list"}']) {
      expect((await bed.resolve(gateway, { body })).code).toBe(INVALID_REQUEST);
    }
    expect((await bed.resolve(gateway, { body: 'x'.repeat(20_000) })).code).toBe(TOO_LARGE);
  });
});

describe('the identity', () => {
  it.each([
    ['another uid', { 'x-nuqloud-uid': 'bob' }],
    ['the uid in another case', { 'x-nuqloud-uid': 'Alice' }],
    ['no uid', { 'x-nuqloud-uid': undefined }],
    ['agent mode', { 'x-nuqloud-mode': 'agent' }],
    ['no mode', { 'x-nuqloud-mode': undefined }],
    ['a profile', { 'x-nuqloud-profile': 'workspace' }],
  ])('is not the one in the headers: %s', async (_what, headers) => {
    expect(await refusedWith({ headers })).toEqual([403, IDENTITY_MISMATCH]);
  });

  it('must be one that Nextcloud knows by exactly this id', async () => {
    const attested = { sub: 'users/ALICE' };
    const path = '/remote.php/dav/files/ALICE/plan.md';
    const first = await bed.ask(gateway, { path, attested, uid: 'ALICE' });
    expect([first.status, first.code]).toEqual([403, NOT_THAT_PERSON]);
    expect(await refusedWith({ path, attested, uid: 'ALICE' })).toEqual([403, NOT_THAT_PERSON]);
    expect((await bed.resolve(gateway, { uid: 'ALICE' })).code).toBe(NOT_THAT_PERSON);
  });
});

describe('the request', () => {
  it.each([
    ['GET', '/remote.php/dav/files/bob/secret.md'],
    ['PROPFIND', '/remote.php/dav/files/bob/'],
    ['PROPFIND', '/remote.php/dav/files/'],
    ['GET', '/remote.php/dav/calendars/alice/personal/'],
    ['GET', '/index.php/settings/user'],
    ['GET', '/ocs/v2.php/cloud/users/bob'],
    ['GET', '/status.php'],
    ['PUT', OWN_FILE],
    ['DELETE', OWN_FILE],
    ['MOVE', OWN_FILE],
    ['POST', '/ocs/v2.php/apps/files_sharing/api/v1/shares'],
    ['PROPPATCH', OWN_FILE],
    ['REPORT', '/remote.php/dav/files/alice/'],
    ['MKCOL', '/remote.php/dav/files/alice/new'],
    ['OPTIONS', OWN_FILE],
    ['GET', `${OWN_FILE}?x=1`],
  ])('%s %s is not allowed', async (method, path) => {
    expect(await refusedWith({ method, path })).toEqual([403, NOT_ALLOWED]);
  });

  it.each([
    '/remote.php/dav/files/alice/../bob/secret.md',
    '/remote.php/dav/files/alice/%2e%2e/bob/secret.md',
    '/remote.php/dav/files/alice/%2E%2E%2Fbob/secret.md',
    '/remote.php/dav/files/alice/%252e%252e/bob/secret.md',
    '/remote.php/dav/files/alice/..%5cbob',
    '/remote.php/dav/files/alice//plan.md',
    '/remote.php/dav/files/alice/a%00b',
    '/remote.php/dav/files/alice/%ff',
    '/remote.php/dav/files/alice/%',
    '/../../etc/passwd',
  ])('GET %s is ambiguous', async (path) => {
    const [status, code] = await refusedWith({ path });
    expect(status).toBe(400);
    expect([INVALID_PATH, INVALID_REQUEST]).toContain(code);
  });

  it('may search only in the own files', async () => {
    const search = (href: string) =>
      `<d:searchrequest xmlns:d="DAV:"><d:basicsearch><d:from><d:scope><d:href>${href}</d:href>` +
      `</d:scope></d:from></d:basicsearch></d:searchrequest>`;
    const asked = { method: 'SEARCH', path: '/remote.php/dav/' };
    expect(await refusedWith({ ...asked, body: search('/files/bob') })).toEqual([403, NOT_ALLOWED]);
    expect(await refusedWith({ ...asked, body: search('/') })).toEqual([403, NOT_ALLOWED]);
    expect(await refusedWith({ ...asked, body: search('/files/alice/../bob') })).toEqual([400, INVALID_PATH]);
    expect(await refusedWith({ ...asked, body: 'x' })).toEqual([400, INVALID_REQUEST]);
    expect(await refusedWith({ ...asked })).toEqual([400, INVALID_REQUEST]);
    expect(await refusedWith({ ...asked, body: 'x'.repeat(70_000) })).toEqual([413, TOO_LARGE]);
  });

  it('gets no answer anywhere else', async () => {
    for (const target of [
      '/',
      '/nextcloud',
      '/nextcloud/',
      '/nextcloud/default',
      '/metrics',
      '/%zz',
      '/resolve',
    ]) {
      const answer = await fetch(`${gateway.url}${target}`);
      expect([400, 401, 404]).toContain(answer.status);
      const body = await answer.text();
      expect(JSON.parse(body)).toMatchObject({ v: 1, code: expect.stringMatching(/^GATEWAY\./) });
      expect(body).not.toMatch(/metrics|zz/);
    }
    expect((await bed.ask(gateway, { path: '' })).code).toBe(NOT_FOUND);
  });
});

it('logs each refusal with its code, and neither tokens nor paths nor secrets', () => {
  const lines = bed.logs.join('');
  for (const code of [UNAUTHENTICATED_SERVICE, INVALID_ATTESTATION, IDENTITY_MISMATCH, NOT_ALLOWED]) {
    expect(lines).toContain(`"code":"${code}"`);
  }
  const login = Buffer.from(`alice:${APP_SECRET}`).toString('base64');
  for (const secret of [APP_SECRET, login, 'Bearer', 'eyJ', 'plan.md', 'secret.md', 'passwd']) {
    expect(lines).not.toContain(secret);
  }
});
