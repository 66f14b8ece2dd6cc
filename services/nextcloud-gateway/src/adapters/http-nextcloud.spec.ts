import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import type { Instance } from '../domain/instance';
import type { NextcloudRequest } from '../ports/nextcloud';
import { HttpNextcloud } from './http-nextcloud';

const APPAPI = { id: 'nuqloud_ai', version: '0.1.0', secret: 'canary-secret' };
const GET: NextcloudRequest = { method: 'GET', path: '/ocs/v2.php/cloud/user?format=json', headers: {} };

const clock = { now: 0 };
let server: Server | undefined;
let nextcloud: HttpNextcloud;

beforeEach(() => {
  clock.now = 1_800_000_000_000;
  nextcloud = new HttpNextcloud({ connectMs: 500, silenceMs: 150 }, () => clock.now);
});

afterEach(async () => {
  nextcloud.close();
  if (!server) return;
  const closed = once(server, 'close');
  server.close();
  if ('closeAllConnections' in server)
    (server as unknown as ReturnType<typeof createServer>).closeAllConnections();
  await closed;
  server = undefined;
});

const listen = async (listening: Server, path = ''): Promise<Instance> => {
  server = listening;
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const origin = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  return { id: 'default', baseUrl: { origin, path }, appApi: APPAPI };
};

const serve = async (listener: RequestListener, path = '') => {
  const requests: IncomingMessage[] = [];
  const instance = await listen(
    createServer((request, response) => {
      requests.push(request);
      listener(request, response);
    }),
    path,
  );
  return { requests, instance };
};

const textOf = async (body: Readable): Promise<string> => {
  let text = '';
  for await (const chunk of body) text += String(chunk);
  return text;
};

describe('HttpNextcloud', () => {
  it('asks below the base URL, as the person, over a connection that is kept', async () => {
    const ports = new Set<number | undefined>();
    const { requests, instance } = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('hello');
    }, '/nextcloud');
    for (let n = 0; n < 3; n += 1) {
      const answer = await nextcloud.send(instance, 'alice', { ...GET, headers: { depth: '1' } });
      expect(answer.status).toBe(200);
      expect(await textOf(answer.body)).toBe('hello');
    }
    expect(ports.size).toBe(1);
    const [first] = requests;
    expect(first?.url).toBe('/nextcloud/ocs/v2.php/cloud/user?format=json');
    expect(first?.headers).toMatchObject({
      depth: '1',
      'ex-app-id': 'nuqloud_ai',
      'ex-app-version': '0.1.0',
      'authorization-app-api': Buffer.from('alice:canary-secret').toString('base64'),
      host: instance.baseUrl.origin.slice('http://'.length),
    });
  });

  it('sends no credential where it acts as nobody', async () => {
    const { requests, instance } = await serve((_request, response) => response.end());
    await nextcloud.send(instance, null, GET);
    expect(Object.keys(requests[0]?.headers ?? {}).filter((name) => /app|auth|cookie/.test(name))).toEqual(
      [],
    );
  });

  it('streams a body of any method, with and without a length', async () => {
    const { requests, instance } = await serve((request, response) => void request.pipe(response));
    const sized = {
      method: 'PROPFIND',
      path: '/x',
      headers: { 'content-length': '5' },
      body: Readable.from(['12345']),
    };
    expect(await textOf((await nextcloud.send(instance, 'alice', sized)).body)).toBe('12345');
    const chunked = { method: 'PUT', path: '/x', headers: {}, body: Readable.from(['1', '2']) };
    expect(await textOf((await nextcloud.send(instance, 'alice', chunked)).body)).toBe('12');
    expect(requests.map(({ headers }) => headers['transfer-encoding'])).toEqual([undefined, 'chunked']);
  });

  it('follows no redirect', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const { requests, instance } = await serve((_request, response) =>
        response.writeHead(status, { location: '/elsewhere' }).end(),
      );
      await expect(nextcloud.send(instance, 'alice', GET)).rejects.toMatchObject({
        code: GATEWAY_REFUSALS.REDIRECTED,
        status: 502,
      });
      expect(requests).toHaveLength(1);
      server?.close();
    }
  });

  it('hands on what is no redirect, and errors of Nextcloud', async () => {
    for (const status of [304, 404, 412, 423, 500, 503]) {
      const { instance } = await serve((_request, response) => response.writeHead(status).end());
      const answer = await nextcloud.send(instance, 'alice', GET);
      expect(answer.status).toBe(status);
      answer.body.resume();
      server?.close();
    }
  });

  it('takes a 401 for its own failure and does not try again', async () => {
    const { requests, instance } = await serve((_request, response) => response.writeHead(401).end('{}'));
    const refused = nextcloud.send(instance, 'alice', GET);
    await expect(refused).rejects.toMatchObject({ code: GATEWAY_REFUSALS.CREDENTIALS_REFUSED, status: 502 });
    await expect(refused).rejects.toThrow(/AppAPI login.*default/);
    await expect(refused).rejects.not.toThrow(/canary/);
    expect(requests).toHaveLength(1);
    expect((await nextcloud.send(instance, null, GET)).status).toBe(401);
  });

  it('sends nothing to an instance that asked for less until its time is over', async () => {
    let status = 429;
    const { requests, instance } = await serve((_request, response) =>
      response.writeHead(status, { 'retry-after': '20' }).end(),
    );
    const busy = { code: GATEWAY_REFUSALS.BACKING_OFF, status: 429, retryAfterS: 20, retryable: true };
    await expect(nextcloud.send(instance, 'alice', GET)).rejects.toMatchObject(busy);
    clock.now += 15_000;
    await expect(nextcloud.send(instance, 'bob', GET)).rejects.toMatchObject({ ...busy, retryAfterS: 5 });
    expect(requests).toHaveLength(1);
    await expect(nextcloud.send({ ...instance, id: 'other' }, 'alice', GET)).rejects.toMatchObject(busy);
    status = 200;
    clock.now += 5_001;
    expect((await nextcloud.send(instance, 'alice', GET)).status).toBe(200);
  });

  it('says that Nextcloud cannot be reached', async () => {
    const { instance } = await serve((_request, response) => response.end());
    const closed = once(server as Server, 'close');
    server?.close();
    await closed;
    server = undefined;
    const unreachable = { code: GATEWAY_REFUSALS.UNREACHABLE, status: 502, retryable: true };
    await expect(nextcloud.send(instance, 'alice', GET)).rejects.toMatchObject(unreachable);
  });

  it('says that Nextcloud hangs', async () => {
    const { instance } = await serve(() => undefined);
    const timeout = { code: GATEWAY_REFUSALS.TIMEOUT, status: 504, retryable: true };
    await expect(nextcloud.send(instance, 'alice', GET)).rejects.toMatchObject(timeout);
    const patient = new HttpNextcloud({ connectMs: 500, silenceMs: 60_000 });
    await expect(patient.send(instance, 'alice', { ...GET, patienceMs: 50 })).rejects.toMatchObject(timeout);
    patient.close();
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['stalls', () => undefined],
    ['is cut', (response) => response.destroy()],
  ])('fails in the body when an answer %s half way', async (_how, interrupt) => {
    const { instance } = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => interrupt(response));
    });
    const answer = await nextcloud.send(instance, 'alice', GET);
    await expect(textOf(answer.body)).rejects.toThrow();
  });

  it('says that something else than HTTP answers', async () => {
    const instance = await listen(createTcpServer((socket) => socket.resume().end('SSH-2.0-OpenSSH\r\n')));
    await expect(nextcloud.send(instance, 'alice', GET)).rejects.toMatchObject({
      code: GATEWAY_REFUSALS.UNREADABLE_ANSWER,
    });
  });

  describe('a write without an answer', () => {
    const PUT: NextcloudRequest = { method: 'PUT', path: '/x', headers: {}, body: Buffer.from('new') };
    const unknown = { code: GATEWAY_REFUSALS.OUTCOME_UNKNOWN, status: 504, retryable: false };

    it.each(['PUT', 'MKCOL', 'DELETE', 'MOVE', 'COPY'])('may be done when %s hangs', async (method) => {
      const { requests, instance } = await serve(() => undefined);
      const write = { method, path: '/x', headers: {} };
      await expect(nextcloud.send(instance, 'alice', write)).rejects.toMatchObject(unknown);
      expect(requests).toHaveLength(1);
    });

    it('may be done when the connection is cut, also one that was kept', async () => {
      let answers = 1;
      const { instance } = await serve((request, response) => {
        if (answers-- > 0) response.end();
        else request.socket.destroy();
      });
      const first = await nextcloud.send(instance, 'alice', PUT);
      await textOf(first.body);
      await expect(nextcloud.send(instance, 'alice', PUT)).rejects.toMatchObject(unknown);
      await expect(nextcloud.send(instance, 'alice', PUT)).rejects.toMatchObject(unknown);
      await expect(nextcloud.send(instance, 'alice', GET)).rejects.toMatchObject({
        code: GATEWAY_REFUSALS.UNREACHABLE,
      });
    });

    it('may be done when what comes back is no HTTP', async () => {
      const instance = await listen(createTcpServer((socket) => socket.resume().end('oops\r\n')));
      await expect(nextcloud.send(instance, 'alice', PUT)).rejects.toMatchObject(unknown);
    });

    it('is not done where no connection could be made', async () => {
      const { instance } = await serve((_request, response) => response.end());
      const closed = once(server as Server, 'close');
      server?.close();
      await closed;
      server = undefined;
      await expect(nextcloud.send(instance, 'alice', PUT)).rejects.toMatchObject({
        code: GATEWAY_REFUSALS.UNREACHABLE,
      });
    });

    it('is not done where TLS could not be agreed upon', async () => {
      const instance = await listen(createTcpServer((socket) => socket.resume().end('no TLS here\r\n')));
      const origin = instance.baseUrl.origin.replace('http:', 'https:');
      const secure = { ...instance, baseUrl: { origin, path: '' } };
      await expect(nextcloud.send(secure, 'alice', PUT)).rejects.toMatchObject({
        code: GATEWAY_REFUSALS.UNREACHABLE,
      });
    });

    it('is not done where Nextcloud refused the login, redirected or asked for less', async () => {
      for (const status of [401, 302, 429]) {
        const { instance } = await serve((_request, response) => response.writeHead(status).end());
        const refused = nextcloud.send({ ...instance, id: `of-${status}` }, 'alice', PUT);
        await expect(refused).rejects.toMatchObject({ nextcloudStatus: status });
        await expect(refused).rejects.not.toMatchObject({ code: GATEWAY_REFUSALS.OUTCOME_UNKNOWN });
        server?.close();
      }
    });
  });

  it('ends a request nobody waits for', async () => {
    const gone = new AbortController();
    const arrived = new Promise<IncomingMessage>((resolve) => {
      void serve(resolve).then(async ({ instance }) => {
        await expect(nextcloud.send(instance, 'alice', { ...GET, signal: gone.signal })).rejects.toThrow();
      });
    });
    const ended = once((await arrived).socket, 'close');
    gone.abort();
    await ended;
  });

  it('ends an upload whose sender has gone', async () => {
    const gone = new AbortController();
    const { instance } = await serve((request) => request.once('data', () => gone.abort()));
    const body = new PassThrough();
    body.write('first');
    const upload = { method: 'PUT', path: '/x', headers: {}, body, signal: gone.signal };
    await expect(nextcloud.send(instance, 'alice', upload)).rejects.toThrow();
  });

  it('acts for nobody where an instance has no AppAPI values', async () => {
    const { requests, instance } = await serve((_request, response) => response.end());
    await expect(nextcloud.send({ ...instance, appApi: null }, 'alice', GET)).rejects.toMatchObject({
      code: GATEWAY_REFUSALS.NO_APPAPI,
    });
    expect(requests).toHaveLength(0);
  });
});
