import {
  GATEWAY_AUDIENCE,
  GATEWAY_REFUSALS,
  SERVICE_TOKEN_TYPE,
  ServiceTokenClaims,
} from '@nuqloud/contracts';
import { AppError } from '@nuqloud/platform';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { GATEWAY_ERRORS } from '../src/index';
import { clientOf, FakeGateway } from './fake-gateway';
import type { SeenRequest } from './fake-gateway';

let gateway: FakeGateway;
beforeEach(async () => (gateway = await new FakeGateway().start()));
afterEach(() => gateway.stop());

const claimsOf = (request: SeenRequest | undefined): ServiceTokenClaims => {
  const token = request?.headers.authorization?.replace(/^Bearer /, '') ?? '';
  expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'EdDSA', typ: SERVICE_TOKEN_TYPE });
  return ServiceTokenClaims.parse(decodeJwt(token));
};

const failureOf = (work: Promise<unknown>): Promise<AppError> =>
  work.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      return error;
    },
  );

describe('the gateway client', () => {
  it('asks once per call who it acts as, and says it with every request', async () => {
    gateway.identity = { v: 1, mode: 'agent', profile: 'workspace', uid: 'nuq loud@x' };
    const { gateway: client } = await clientOf(gateway);
    await Promise.all([client.request('GET', '/a'), client.request('GET', '/b')]);
    expect(gateway.seen.filter(({ path }) => path === '/resolve')).toHaveLength(1);
    expect(JSON.parse(gateway.seen[0]?.body ?? '')).toEqual({ v: 1, tool: 'files_list' });
    for (const { headers } of gateway.asked) {
      expect(headers).toMatchObject({
        'x-nuqloud-mode': 'agent',
        'x-nuqloud-profile': 'workspace',
        'x-nuqloud-uid': 'nuq%20loud%40x',
        'x-nuqloud-tool': 'files_list',
        'x-nuqloud-attestation': 'the.attestation.token',
      });
    }
  });

  it('names no profile in user mode', async () => {
    const { gateway: client } = await clientOf(gateway);
    await client.request('GET', '/a');
    expect(gateway.asked[0]?.headers).not.toHaveProperty('x-nuqloud-profile');
  });

  it('signs each request for itself: method, path with query, an id used once', async () => {
    const { gateway: client } = await clientOf(gateway);
    await client.request('PROPFIND', '/remote.php/dav/files/alice/a%23b?x=%20y');
    await client.request('GET', '/remote.php/dav/files/alice/a%23b');
    const [resolve, first, second] = gateway.seen.map(claimsOf);
    expect(resolve).toMatchObject({ method: 'POST', path: '/resolve' });
    expect(first).toMatchObject({
      iss: 'tool-files',
      aud: GATEWAY_AUDIENCE,
      method: 'PROPFIND',
      path: '/nextcloud/main/remote.php/dav/files/alice/a%23b?x=%20y',
    });
    expect(gateway.asked[0]?.sentPath).toBe(first?.path);
    expect(second?.method).toBe('GET');
    expect(new Set([resolve?.jti, first?.jti, second?.jti]).size).toBe(3);
    expect((first?.exp ?? 0) - (first?.iat ?? 0)).toBe(60);
  });

  it('follows no redirect', async () => {
    gateway.answer = () => ({ status: 302, headers: { location: 'http://127.0.0.1:1/elsewhere' } });
    const { gateway: client } = await clientOf(gateway);
    expect((await client.request('GET', '/a')).status).toBe(302);
  });

  it('hands on a refusal of the gateway with its code and sentence', async () => {
    const message = 'Your account is not known to Nextcloud.';
    gateway.resolve = () => ({
      status: 403,
      headers: { 'x-nuqloud-gateway-error': '1' },
      body: JSON.stringify({ v: 1, code: 'GATEWAY.UNKNOWN_PERSON', message }),
    });
    const { gateway: client } = await clientOf(gateway);
    expect(await failureOf(client.request('GET', '/a'))).toMatchObject({
      code: 'GATEWAY.UNKNOWN_PERSON',
      message,
      retryable: false,
    });
    expect(gateway.asked).toEqual([]);
  });

  it.each([
    [GATEWAY_REFUSALS.BACKING_OFF, 429, true],
    [GATEWAY_REFUSALS.UNREACHABLE, 502, true],
    [GATEWAY_REFUSALS.TIMEOUT, 504, true],
    [GATEWAY_REFUSALS.STORE_UNAVAILABLE, 503, true],
    [GATEWAY_REFUSALS.NOT_AUDITED, 503, true],
    [GATEWAY_REFUSALS.CREDENTIALS_REFUSED, 502, false],
    [GATEWAY_REFUSALS.NOT_GRANTED, 403, false],
  ])('knows whether %s is worth another try', async (code, status, retryable) => {
    gateway.answer = () => ({
      status,
      headers: { 'x-nuqloud-gateway-error': code },
      body: JSON.stringify({ v: 1, code, message: 'Nextcloud is busy.' }),
    });
    const { gateway: client } = await clientOf(gateway);
    expect(await failureOf(client.request('GET', '/a'))).toMatchObject({ code, retryable });
  });

  it('does not take an answer of Nextcloud for a refusal', async () => {
    gateway.answer = () => ({ status: 403, body: JSON.stringify({ v: 1, code: 'X.Y', message: 'forged' }) });
    const { gateway: client } = await clientOf(gateway);
    expect((await client.request('GET', '/a')).status).toBe(403);
  });

  it.each([
    ['an identity of the wrong shape', { status: 200, body: '{"v":1,"uid":""}' }],
    ['no JSON', { status: 200, body: '<html>' }],
    ['a refusal without a reason', { status: 500, headers: { 'x-nuqloud-gateway-error': '1' }, body: '' }],
  ])('calls %s an invalid answer', async (_what, reply) => {
    gateway.resolve = () => reply;
    const { gateway: client } = await clientOf(gateway);
    expect(await failureOf(client.resolve())).toMatchObject({ code: GATEWAY_ERRORS.INVALID_ANSWER });
  });

  it('says that a gateway that is away can be tried again', async () => {
    const { gateway: client } = await clientOf(gateway);
    await gateway.stop();
    expect(await failureOf(client.request('GET', '/a'))).toMatchObject({
      code: GATEWAY_ERRORS.AWAY,
      retryable: true,
    });
    gateway = await new FakeGateway().start();
  });

  it('says that an answer that broke off can be tried again', async () => {
    gateway.answer = () => ({
      status: 200,
      headers: { 'content-length': '100' },
      body: 'half',
      cutOff: true,
    });
    const { gateway: client } = await clientOf(gateway);
    const response = await client.request('GET', '/a');
    expect(await failureOf(response.text(1_000))).toMatchObject({
      code: GATEWAY_ERRORS.INTERRUPTED,
      retryable: true,
    });
  });

  it('ends every request with the call, for the reason of the call', async () => {
    const call = new AbortController();
    const reason = new AppError('TEST.OVER', 'The call is over.');
    gateway.answer = () => {
      call.abort(reason);
      return { status: 200, body: 'late' };
    };
    const { gateway: client } = await clientOf(gateway, call.signal);
    await expect(client.request('GET', '/a').then((response) => response.text(10))).rejects.toBe(reason);
  });
});
