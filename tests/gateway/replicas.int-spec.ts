import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { DescribeInstance, GATEWAY_REFUSALS } from '@nuqloud/contracts';
import { startEmulator } from '@nuqloud/nextcloud-emulator';
import type { Emulator } from '@nuqloud/nextcloud-emulator';
import { eventually, startRedis } from '@nuqloud/testing';
import type { RunningStore } from '@nuqloud/testing';
import { APP_SECRET, GatewayBed } from './gateway-bed';

jest.setTimeout(120_000);

const PATH = '/remote.php/dav/files/alice/plan.md';

let bed: GatewayBed;
let emulator: Emulator;
let redis: RunningStore;

beforeAll(async () => {
  bed = await GatewayBed.start();
  redis = await startRedis();
  emulator = await startEmulator({
    fixture: {
      users: [{ id: 'alice' }],
      appApi: { id: 'nuqloud_ai', secret: APP_SECRET },
      files: { alice: { '/plan.md': 'plan' } },
    },
  });
});
afterEach(() => bed.stopGateways());
afterAll(async () => {
  await bed.close();
  await redis.stop();
  await emulator.close();
});

const startOne = () => bed.startGateway({ default: emulator.url }, { redisUrl: redis.url });
const startTwo = () => Promise.all([startOne(), startOne()]);

describe('two replicas', () => {
  it('apply one provision file at the same time and answer the same', async () => {
    for (const gateway of await startTwo()) {
      expect((await bed.ask(gateway, { path: PATH })).body.toString()).toBe('plan');
    }
  });

  it('take a service token once between them', async () => {
    const [one, other] = await startTwo();
    const token = await bed.serviceToken({ method: 'GET', path: `/nextcloud/default${PATH}` });
    const headers = { authorization: `Bearer ${token}` };
    const answers = await Promise.all(
      [one, other, one, other].map(async (gateway) => bed.ask(gateway, { path: PATH, headers })),
    );
    expect(answers.map(({ code }) => code).sort()).toEqual([
      ...Array.from({ length: 3 }, () => GATEWAY_REFUSALS.TOKEN_REPLAYED),
      undefined,
    ]);
  });

  it('share the questions of the bus, one answer each, and one is enough', async () => {
    const [one] = await startTwo();
    const agent = await bed.stores.busOf('agent');
    const ask = () => agent.request(DescribeInstance, {}, { v: 1, instance: 'default' });
    await Promise.all(Array.from({ length: 20 }, ask));
    await one.close();
    await expect(ask()).resolves.toMatchObject({ instance: 'default' });
  });
});

describe('without Redis', () => {
  it('requests go on, without the check for replays, and the log says so', async () => {
    const gateway = await startOne();
    expect((await bed.ask(gateway, { path: PATH })).status).toBe(200);
    await redis.kill();
    expect((await bed.ask(gateway, { path: PATH })).status).toBe(200);
    expect(bed.logs.join('')).toContain('gateway.replay-check-left-out');
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200);
    await redis.restart();
    await eventually(
      async () => {
        const token = await bed.serviceToken({ method: 'GET', path: `/nextcloud/default${PATH}` });
        const headers = { authorization: `Bearer ${token}` };
        await bed.ask(gateway, { path: PATH, headers });
        return (await bed.ask(gateway, { path: PATH, headers })).code === GATEWAY_REFUSALS.TOKEN_REPLAYED;
      },
      { describe: 'the return of the check', deadlineMs: 15_000 },
    );
  });

  it('a gateway starts all the same', async () => {
    const gateway = await bed.startGateway({ default: emulator.url }, { redisUrl: 'redis://127.0.0.1:9' });
    expect((await bed.ask(gateway, { path: PATH })).status).toBe(200);
  });
});

describe('a gateway that stops', () => {
  let slow: Server;
  afterEach(() => slow.close());

  it('lets a transfer in hand come to its end', async () => {
    let finish: (() => void) | undefined;
    slow = createServer((request, response) => {
      if (request.url?.includes('/cloud/user')) {
        response.end(JSON.stringify({ ocs: { data: { id: 'alice' } } }));
        return;
      }
      response.write('first half, ');
      finish = () => response.end('second half');
    });
    slow.listen(0, '127.0.0.1');
    await once(slow, 'listening');
    const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    const gateway = await bed.startGateway({ default: url });
    const answer = await bed.open(gateway, { path: PATH });
    const stopped = gateway.close();
    await eventually(
      () =>
        fetch(`${gateway.url}/healthz`).then(
          ({ ok }) => !ok,
          () => true,
        ),
      {
        describe: 'the closed door',
      },
    );
    finish?.();
    let text = '';
    for await (const chunk of answer) text += String(chunk);
    expect(text).toBe('first half, second half');
    await stopped;
  });
});

describe('health', () => {
  it('is told without a token', async () => {
    const gateway = await bed.startGateway({ default: emulator.url });
    for (const path of ['/healthz', '/readyz']) {
      const answer = await fetch(gateway.url + path);
      expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok' }]);
    }
  });

  it('says no while the bus is away', async () => {
    const gateway = await bed.startGateway({ default: emulator.url });
    await bed.stores.nats.kill();
    const status = async () => (await fetch(`${gateway.url}/readyz`)).status;
    await eventually(async () => (await status()) === 503, { describe: 'not ready' });
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
    await bed.stores.nats.restart();
    await eventually(async () => (await status()) === 200, { describe: 'ready again' });
  });
});
