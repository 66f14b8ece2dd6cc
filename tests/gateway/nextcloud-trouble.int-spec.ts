import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import type { RunningGateway } from '@nuqloud/nextcloud-gateway';
import { eventually } from '@nuqloud/testing';
import { APP_SECRET, GatewayBed } from './gateway-bed';

const FILE = '/remote.php/dav/files/alice/a.bin';
const CHUNK = Buffer.alloc(64 * 1024, 'x');
/** More than the buffers of all sockets between the two ends can hold. */
const LARGE = 200 * 1024 * 1024;
/** What those buffers may hold: anything beyond would stand in the memory of the gateway. */
const IN_SOCKETS = 64 * 1024 * 1024;

jest.setTimeout(120_000);

/** A Nextcloud that knows everybody and answers requests for files as each test wants. */
class OddNextcloud {
  answerFile: RequestListener = (_request, response) => response.end('file');
  answerUser: RequestListener = (request, response) => {
    const login = Buffer.from(String(request.headers['authorization-app-api']), 'base64').toString('utf8');
    const [id] = login.split(':');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ocs: { meta: {}, data: { id, groups: [] } } }));
  };
  readonly requests: { method: string; url: string; headers: IncomingMessage['headers'] }[] = [];
  private server: Server | undefined;
  private port = 0;

  async listen(): Promise<string> {
    this.server = createServer((request, response) => {
      const { method = '', url = '', headers } = request;
      this.requests.push({ method, url, headers });
      const answer = url.includes('/cloud/user') ? this.answerUser : this.answerFile;
      answer(request, response);
    });
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
    return `http://127.0.0.1:${this.port}`;
  }

  async close(): Promise<void> {
    if (!this.server) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    this.server = undefined;
    await closed;
  }
}

let bed: GatewayBed;
let nextcloud: OddNextcloud;
let url: string;
let gateway: RunningGateway;

beforeAll(async () => {
  bed = await GatewayBed.start();
});
afterAll(() => bed.close());

beforeEach(async () => {
  nextcloud = new OddNextcloud();
  url = await nextcloud.listen();
  gateway = await bed.startGateway({ default: url }, { timeouts: { connectMs: 2_000, silenceMs: 1_000 } });
});
afterEach(async () => {
  await bed.stopGateways();
  await nextcloud.close();
});

const eventsLogged = (event: string): number =>
  bed.logs.filter((line) => line.includes(`"event":"${event}"`)).length;

describe('an answer of Nextcloud', () => {
  it('that sends elsewhere is not followed', async () => {
    const elsewhere = new OddNextcloud();
    const location = await elsewhere.listen();
    for (const status of [301, 302, 307, 308]) {
      nextcloud.answerFile = (_request, response) =>
        response.writeHead(status, { location: `${location}/stolen` }).end();
      const answer = await bed.ask(gateway, { path: FILE });
      expect([answer.status, answer.code]).toEqual([502, GATEWAY_REFUSALS.REDIRECTED]);
      expect(answer.headers.location).toBeUndefined();
    }
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.close();
  });

  it('loses its cookies and the headers of its connection', async () => {
    nextcloud.answerFile = (_request, response) =>
      response
        .writeHead(200, {
          'set-cookie': ['nc_session_id=canary-cookie; HttpOnly', 'oc_sessionPassphrase=canary-cookie'],
          'keep-alive': 'timeout=77',
          connection: 'keep-alive, x-internal',
          'x-internal': '1',
          'x-nuqloud-gateway-error': 'GATEWAY.INTERNAL',
          etag: '"1"',
        })
        .end('file');
    const answer = await bed.ask(gateway, { path: FILE });
    expect([answer.status, answer.headers.etag, answer.code]).toEqual([200, '"1"', undefined]);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.headers['x-internal']).toBeUndefined();
    expect(answer.headers['keep-alive']).toBeUndefined();
  });

  it('comes to a request that carries no header of the caller but what Nextcloud needs', async () => {
    await bed.ask(gateway, {
      path: FILE,
      headers: {
        cookie: 'nc_session_id=canary-cookie',
        'x-forwarded-for': '10.0.0.1',
        'x-nextcloud-federation': '1',
        'authorization-app-api': Buffer.from('admin:guess').toString('base64'),
        'ex-app-id': 'other_app',
        destination: '/remote.php/dav/files/bob/a.bin',
        connection: 'close, x-hop',
        'x-hop': '1',
        range: 'bytes=0-1',
      },
    });
    const { headers, url: target } = nextcloud.requests.at(-1) ?? {};
    expect(target).toBe(FILE);
    expect(Object.keys(headers ?? {}).sort()).toEqual([
      ...['aa-version', 'authorization-app-api', 'connection', 'ex-app-id', 'ex-app-version'],
      ...['host', 'range', 'user-agent'],
    ]);
    expect(headers?.['ex-app-id']).toBe('nuqloud_ai');
    expect(headers?.['authorization-app-api']).toBe(Buffer.from(`alice:${APP_SECRET}`).toString('base64'));
  });

  it('comes to a move that leads to the own address of Nextcloud, whatever the caller wrote before the path', async () => {
    const leadsTo = '/remote.php/dav/files/alice/Docs/b%20c.bin';
    nextcloud.answerFile = (_request, response) => response.writeHead(201).end();
    for (const destination of [leadsTo, url + leadsTo]) {
      const answer = await bed.ask(gateway, {
        ...{ method: 'MOVE', tool: 'files_move', path: FILE },
        headers: { destination, overwrite: 'F', 'if-match': '"1"', if: '<x>', 'x-user-lock': '1' },
      });
      expect([answer.status, answer.code]).toEqual([201, undefined]);
      const { headers } = nextcloud.requests.at(-1) ?? {};
      expect(headers).toMatchObject({ destination: url + leadsTo, overwrite: 'F', 'if-match': '"1"' });
      expect(headers).not.toHaveProperty('if');
      expect(headers).not.toHaveProperty('x-user-lock');
    }
  });

  it('401 is the failure of the gateway, and is not provoked again at once', async () => {
    nextcloud.answerFile = (_request, response) => response.writeHead(401).end('{"message":"canary"}');
    const first = await bed.ask(gateway, { path: FILE });
    expect([first.status, first.code]).toEqual([502, GATEWAY_REFUSALS.CREDENTIALS_REFUSED]);
    const asked = nextcloud.requests.length;
    const second = await bed.ask(gateway, { path: FILE });
    expect([second.status, second.code]).toEqual([502, GATEWAY_REFUSALS.CREDENTIALS_REFUSED]);
    expect(nextcloud.requests.length).toBe(asked);
  });

  it('401 to the question who one is stops everything that person wants', async () => {
    nextcloud.answerUser = (_request, response) => response.writeHead(401).end('{}');
    expect((await bed.ask(gateway, { path: FILE })).code).toBe(GATEWAY_REFUSALS.CREDENTIALS_REFUSED);
    expect((await bed.resolve(gateway)).code).toBe(GATEWAY_REFUSALS.CREDENTIALS_REFUSED);
    expect(nextcloud.requests.map(({ url: target }) => target)).toEqual([
      expect.stringContaining('/cloud/user'),
    ]);
  });

  it('with a body that names somebody else makes nobody act', async () => {
    nextcloud.answerUser = (_request, response) =>
      response.end(JSON.stringify({ ocs: { data: { id: 'admin', groups: ['admin'] } } }));
    const answer = await bed.ask(gateway, { path: FILE });
    expect([answer.status, answer.code]).toEqual([403, GATEWAY_REFUSALS.NOT_THAT_PERSON]);
    expect(nextcloud.requests).toHaveLength(1);
  });

  it('429 is answered with 429 until Nextcloud may be asked again', async () => {
    nextcloud.answerFile = (_request, response) =>
      response.writeHead(429, { 'retry-after': '50' }).end('page');
    const first = await bed.ask(gateway, { path: FILE });
    expect([first.status, first.code]).toEqual([429, GATEWAY_REFUSALS.BACKING_OFF]);
    expect(first.headers['retry-after']).toBe('50');
    const asked = nextcloud.requests.length;
    for (const uid of ['alice', 'bob']) {
      const path = `/remote.php/dav/files/${uid}/a.bin`;
      const later = await bed.ask(gateway, { path, uid });
      expect([later.status, later.code]).toEqual([429, GATEWAY_REFUSALS.BACKING_OFF]);
      expect(Number(later.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(nextcloud.requests.length).toBe(asked);
  });

  it('of maintenance goes on as it is', async () => {
    nextcloud.answerFile = (_request, response) =>
      response.writeHead(503, { 'retry-after': '120' }).end('<d:error/>');
    const answer = await bed.ask(gateway, { path: FILE });
    expect([answer.status, answer.code, answer.body.toString()]).toEqual([503, undefined, '<d:error/>']);
  });
});

describe('a connection', () => {
  it('that cannot be made is told, and works again by itself', async () => {
    await nextcloud.close();
    const down = await bed.ask(gateway, { path: FILE });
    expect([down.status, down.code]).toEqual([502, GATEWAY_REFUSALS.UNREACHABLE]);
    expect(bed.logs.at(-1)).toContain('ECONNREFUSED');
    await nextcloud.listen();
    expect((await bed.ask(gateway, { path: FILE })).status).toBe(200);
  });

  it('on which nothing comes is given up', async () => {
    nextcloud.answerFile = () => undefined;
    const answer = await bed.ask(gateway, { path: FILE });
    expect([answer.status, answer.code]).toEqual([504, GATEWAY_REFUSALS.TIMEOUT]);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['breaks', (response) => response.destroy()],
    ['falls silent', () => undefined],
  ])('that %s half way never looks like a whole answer', async (_how, interrupt) => {
    const before = eventsLogged('gateway.cut-short');
    nextcloud.answerFile = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.write(CHUNK, () => interrupt(response));
    };
    const answer = await bed.open(gateway, { path: FILE });
    expect(answer.statusCode).toBe(200);
    await expect(drain(answer)).rejects.toThrow(/aborted/);
    expect(answer.complete).toBe(false);
    await eventually(() => eventsLogged('gateway.cut-short') > before, { describe: 'the line in the log' });
  });

  it('to Nextcloud ends when the caller goes away', async () => {
    const closed = new Promise<void>((resolve) => {
      nextcloud.answerFile = (_request, response) => {
        response.once('close', resolve);
        response.writeHead(200);
        response.write(CHUNK);
      };
    });
    const answer = await bed.open(gateway, { path: FILE });
    answer.destroy();
    await closed;
    await eventually(() => eventsLogged('gateway.abandoned') > 0, { describe: 'the line in the log' });
  });
});

describe('a large body', () => {
  it('comes only as fast as the caller reads', async () => {
    let sent = 0;
    nextcloud.answerFile = (_request, response) => {
      response.writeHead(200, { 'content-length': LARGE });
      Readable.from(chunks(LARGE, (bytes) => (sent += bytes))).pipe(response);
    };
    const patient = await bed.startGateway({ default: url });
    const answer = await bed.open(patient, { path: FILE });
    await standstill(() => sent);
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(IN_SOCKETS);
    expect(await drain(answer)).toEqual({ bytes: LARGE, sha256: EXPECTED });
  });

  it('goes only as fast as Nextcloud reads', async () => {
    let sent = 0;
    let receive: ((request: IncomingMessage) => void) | undefined;
    const arrived = new Promise<IncomingMessage>((resolve) => (receive = resolve));
    nextcloud.answerFile = (request, response) => {
      receive?.(request);
      request.once('end', () => response.writeHead(201).end());
    };
    const patient = await bed.startGateway({ default: url });
    const answer = bed.open(patient, {
      method: 'PUT',
      tool: 'files_write',
      path: FILE,
      headers: { 'content-length': LARGE },
      body: Readable.from(chunks(LARGE, (bytes) => (sent += bytes))),
    });
    const request = await arrived;
    await standstill(() => sent);
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(IN_SOCKETS);
    expect(await drain(request)).toEqual({ bytes: LARGE, sha256: EXPECTED });
    expect((await answer).statusCode).toBe(201);
  });
});

it('shows no secret, cookie or token in any log line', () => {
  const lines = bed.logs.join('');
  const login = Buffer.from(`alice:${APP_SECRET}`).toString('base64');
  for (const secret of [APP_SECRET, login, 'canary', 'Bearer', 'eyJ', 'a.bin']) {
    expect(lines).not.toContain(secret);
  }
});

function* chunks(total: number, count: (bytes: number) => void): Generator<Buffer> {
  for (let left = total; left > 0; left -= CHUNK.length) {
    count(CHUNK.length);
    yield CHUNK;
  }
}

const EXPECTED = (() => {
  const hash = createHash('sha256');
  for (const chunk of chunks(LARGE, () => undefined)) hash.update(chunk);
  return hash.digest('hex');
})();

const drain = async (message: IncomingMessage): Promise<{ bytes: number; sha256: string }> => {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    hash.update(chunk);
  }
  return { bytes, sha256: hash.digest('hex') };
};

/** Waits until a number has not grown for a while. */
const standstill = async (read: () => number): Promise<void> => {
  let last = -1;
  let since = Date.now();
  await eventually(
    () => {
      if (read() !== last) {
        last = read();
        since = Date.now();
      }
      return last > 0 && Date.now() - since > 500;
    },
    { describe: 'the standstill', deadlineMs: 30_000 },
  );
};
