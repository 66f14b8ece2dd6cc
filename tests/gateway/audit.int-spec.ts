import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AUDIT_STREAM, GATEWAY_REFUSALS } from '@nuqloud/contracts';
import type { AuditRecordBody } from '@nuqloud/contracts';
import type { RunningGateway } from '@nuqloud/nextcloud-gateway';
import { AuditVerifier } from '@nuqloud/platform';
import { eventually } from '@nuqloud/testing';
import { AckPolicy } from 'nats';
import type { JetStreamManager, NatsConnection } from 'nats';
import { GatewayBed } from './gateway-bed';
import type { Asked } from './gateway-bed';

const FILE = '/remote.php/dav/files/alice/canary.txt';
const PUT: Asked = { method: 'PUT', tool: 'files_write', path: FILE, body: 'canary content' };
const { NOT_AUDITED, OUTCOME_UNKNOWN, UNREACHABLE } = GATEWAY_REFUSALS;

jest.setTimeout(120_000);

let bed: GatewayBed;
let nextcloud: Server;
let gateway: RunningGateway;
let url: string;
let answerFile: RequestListener;
const asked: string[] = [];
const records: AuditRecordBody[] = [];
let streams: JetStreamManager;
let provisioner: NatsConnection;

beforeAll(async () => {
  bed = await GatewayBed.start();
  nextcloud = createServer((request, response) => {
    const { method = '', url: target = '' } = request;
    if (target.includes('/cloud/user'))
      return void response.end('{"ocs":{"data":{"id":"alice","groups":[]}}}');
    asked.push(`${method} ${target}`);
    request.resume();
    answerFile(request, response);
  });
  nextcloud.listen(0, '127.0.0.1');
  await once(nextcloud, 'listening');
  url = `http://127.0.0.1:${(nextcloud.address() as AddressInfo).port}/nextcloud`;
  gateway = await bed.startGateway({ default: url }, { timeouts: { connectMs: 2_000, silenceMs: 1_000 } });
  provisioner = (await bed.stores.busOf('provisioner')).connection;
  streams = await provisioner.jetstreamManager({ checkAPI: false });
  // Nobody but the operator who makes streams and consumers can read the audit.
  const inbox = '_INBOX_provisioner.audit';
  const verifier = new AuditVerifier(bed.stores.publicKeys);
  provisioner.subscribe(inbox, {
    callback: (_failure, message) => {
      const record = verifier.genuine(message.json());
      if (record) records.push(record);
    },
  });
  await streams.consumers.add(AUDIT_STREAM, {
    durable_name: 'test',
    deliver_subject: inbox,
    ack_policy: AckPolicy.None,
  });
});
beforeEach(() => {
  answerFile = (_request, response) => response.writeHead(201, { etag: '"1"' }).end();
  asked.length = 0;
  records.length = 0;
});
afterAll(async () => {
  await bed.close();
  nextcloud.close();
  nextcloud.closeAllConnections();
});

const recorded = (count: number) =>
  eventually(() => records.length >= count, { describe: `${count} audit records` });

/** Changes the stream for as long as `work` takes. */
const withStream = async (
  change: Parameters<JetStreamManager['streams']['update']>[1],
  work: () => Promise<void>,
) => {
  const { config } = await streams.streams.info(AUDIT_STREAM);
  await streams.streams.update(AUDIT_STREAM, change);
  try {
    await work();
  } finally {
    await streams.streams.update(AUDIT_STREAM, config);
  }
};

const expectRefused = async (write: Asked = PUT) => {
  const answer = await bed.ask(gateway, write);
  expect([answer.status, answer.code]).toEqual([503, NOT_AUDITED]);
  expect(JSON.parse(answer.body.toString())).toMatchObject({
    message: expect.stringContaining('Nothing was changed'),
  });
  expect(asked).toEqual([]);
};

describe('a write', () => {
  it('is recorded before it leaves, and afterwards with its status', async () => {
    const recordedBefore: number[] = [];
    answerFile = (_request, response) => {
      void recorded(1).then(() => {
        recordedBefore.push(records.length);
        response.writeHead(204).end();
      });
    };
    const answer = await bed.ask(gateway, {
      ...{ method: 'MOVE', tool: 'files_move', path: FILE },
      headers: { destination: '/remote.php/dav/files/alice/Docs/b%20c.txt', overwrite: 'F' },
    });
    expect([answer.status, answer.code]).toEqual([204, undefined]);
    await recorded(2);
    expect(recordedBefore).toEqual([1]);
    const [attempt, outcome] = records;
    expect(attempt).toMatchObject({
      ...{ kind: 'nextcloud.write', service: 'nextcloud-gateway', caller: 'tool-files', tool: 'files_move' },
      ...{ instance: 'default', bot: 'nuq', room: 'x7k2m9pq', message: '1567', person: 'users/alice' },
      ...{ mode: 'user', profile: null, uid: 'alice', method: 'MOVE', path: FILE },
      destination: '/remote.php/dav/files/alice/Docs/b%20c.txt',
    });
    expect(outcome).toMatchObject({ kind: 'nextcloud.written', attempt: attempt?.id, status: 204 });
  });

  it('leaves no content in its record', async () => {
    expect((await bed.ask(gateway, PUT)).status).toBe(201);
    await recorded(2);
    expect(JSON.stringify(records)).not.toContain('canary content');
    expect(records[0]).not.toHaveProperty('destination');
  });

  it('that Nextcloud refuses is recorded with its status', async () => {
    answerFile = (_request, response) => response.writeHead(412).end('<d:error/>');
    expect((await bed.ask(gateway, PUT)).status).toBe(412);
    await recorded(2);
    expect(records[1]).toMatchObject({ kind: 'nextcloud.written', status: 412 });
  });

  it('that the gateway does not allow is not recorded, and a read is not either', async () => {
    await bed.ask(gateway, { ...PUT, tool: 'files_read' });
    await bed.ask(gateway, { ...PUT, path: '/remote.php/dav/files/bob/a.txt' });
    await bed.ask(gateway, { path: FILE });
    await bed.ask(gateway, { method: 'PROPFIND', path: FILE });
    await bed.ask(gateway, PUT);
    await recorded(2);
    expect(records.map(({ kind }) => kind)).toEqual(['nextcloud.write', 'nextcloud.written']);
  });

  it.each<[string, RequestListener]>([
    ['is cut off', (request) => request.socket.destroy()],
    ['gets no answer in time', () => undefined],
  ])('that %s has an unknown outcome, for the tool and in the audit', async (_how, listener) => {
    answerFile = listener;
    const answer = await bed.ask(gateway, PUT);
    expect([answer.status, answer.code]).toEqual([504, OUTCOME_UNKNOWN]);
    expect(asked).toEqual([`PUT /nextcloud${FILE}`]);
    await recorded(2);
    expect(records[1]).toMatchObject({ kind: 'nextcloud.written', status: null });
  });

  it('that could not be sent is told apart from one that was sent', async () => {
    const port = (nextcloud.address() as AddressInfo).port;
    nextcloud.close();
    nextcloud.closeAllConnections();
    const answer = await bed.ask(gateway, PUT);
    nextcloud.listen(port, '127.0.0.1');
    await once(nextcloud, 'listening');
    expect([answer.status, answer.code]).toEqual([502, UNREACHABLE]);
    expect(asked).toEqual([]);
  });
});

describe('without the audit', () => {
  it('no write leaves when its stream is full', async () => {
    expect((await bed.ask(gateway, PUT)).status).toBe(201);
    asked.length = 0;
    await withStream({ max_msgs: 1 }, () => expectRefused());
    expect((await bed.ask(gateway, PUT)).status).toBe(201);
  });

  it('no write leaves when nothing stores its subject, but reads go on', async () => {
    await withStream({ subjects: ['audit-elsewhere.*'] }, async () => {
      await expectRefused();
      await expectRefused({ method: 'MKCOL', tool: 'files_mkdir', path: FILE });
      expect((await bed.ask(gateway, { path: FILE, tool: 'files_read' })).code).toBeUndefined();
    });
    asked.length = 0;
    expect((await bed.ask(gateway, PUT)).status).toBe(201);
  });

  it('a write that was done is answered, and the log says what is missing', async () => {
    const { config } = await streams.streams.info(AUDIT_STREAM);
    answerFile = (_request, response) => {
      void streams.streams
        .update(AUDIT_STREAM, { subjects: ['audit-elsewhere.*'] })
        .then(() => response.writeHead(201).end());
    };
    const answer = await bed.ask(gateway, PUT);
    await streams.streams.update(AUDIT_STREAM, config);
    expect([answer.status, answer.code]).toEqual([201, undefined]);
    await recorded(1);
    const [line] = bed.logs.filter((text) => text.includes('gateway.outcome-not-audited'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ attempt: records[0]?.id, status: 201 });
  });

  it('no write leaves while the bus is away, and writes go on when it is back', async () => {
    await bed.stores.nats.kill();
    await expectRefused();
    await bed.stores.nats.restart();
    await eventually(async () => (await bed.ask(gateway, PUT)).status === 201, {
      describe: 'a write being taken again',
      deadlineMs: 30_000,
    });
  });
});

it('shows no path, no name and no content in the log', () => {
  expect(bed.logs.join('')).not.toContain('canary');
});
