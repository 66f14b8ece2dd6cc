import { createHash, createHmac } from 'node:crypto';
import { eventually } from '@nuqloud/testing';
import { startEmulator } from '../src';
import type { Emulator } from '../src';
import { startExAppServer } from './ex-app-server';
import type { ExAppServer } from './ex-app-server';
import { callsTo, dataOf, exApp, ROOM } from './nextcloud-calls';
import { teamFixture } from './worlds';

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex');
const APP = '/ocs/v2.php/apps/app_api';

interface State {
  readonly installed: boolean;
  readonly enabled?: boolean;
  readonly error?: string;
  readonly talkBots?: { route: string; botId: number; name: string }[];
}

describe('an external app', () => {
  let app: ExAppServer;
  let emulator: Emulator;
  const { control, talkAs } = callsTo(() => emulator.url);
  const operate = async (method: string, path: string, body?: object): Promise<State> =>
    (await (await control(method, `/appapi${path}`, body)).json()) as State;
  const asApp = (method: string, path: string, body?: object, secret?: string) =>
    fetch(`${emulator.url}${APP}${path}`, {
      method,
      headers: { Accept: 'application/json', 'Content-Type': 'application/json', ...exApp('', secret) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const registration = { id: 'nuqloud_ai', secret: 'app-secret', version: '1.0.0' };
  const install = (more: object = {}) =>
    operate('POST', '/install', { ...registration, url: `${app.url}/`, ...more });
  const startInit = async (more: object = {}) => {
    const installing = install(more);
    await eventually(() => app.received.some(({ path }) => path === '/init'), { describe: '/init' });
    return installing;
  };
  const installed = async () => {
    const installing = install();
    await eventually(() => app.received.some(({ path }) => path === '/init'), { describe: '/init' });
    await asApp('PUT', '/ex-app/status', { progress: 100, error: '' });
    return installing;
  };
  const registerBot = async (name = 'NuQ') =>
    dataOf<{ id: string; secret: string }>(
      await asApp('POST', '/api/v1/talk_bot', { name, route: '/talk_bot', description: 'Helps' }),
    );
  const seen = () => app.received.map(({ method, path }) => `${method} ${path}`);

  beforeAll(async () => {
    app = await startExAppServer();
    emulator = await startEmulator({ webRoot: '/nextcloud' });
  });

  beforeEach(() => {
    emulator.reset(teamFixture('32.0.1', 'http://127.0.0.1:9/hook'));
    app.received.length = 0;
    app.answers.clear();
    app.answers.set('GET /heartbeat', { status: 200, body: { status: 'ok' } });
    app.answers.set('PUT /enabled?enabled=1', { status: 200, body: { error: '' } });
    app.answers.set('PUT /enabled?enabled=0', { status: 200, body: { error: '' } });
  });

  afterAll(async () => {
    await emulator.close();
    await app.close();
  });

  describe('that is installed', () => {
    it('is asked for its heartbeat, initialised, and enabled within its report of 100 percent', async () => {
      const installing = install();
      await eventually(() => seen().includes('POST /init'), { describe: '/init' });
      await asApp('PUT', '/ex-app/status', { progress: 40, error: '' });
      expect(await operate('GET', '')).toMatchObject({ enabled: false, progress: 40 });
      await asApp('PUT', '/ex-app/status', { progress: 100, error: '' });
      expect(seen()).toEqual(['GET /heartbeat', 'POST /init', 'GET /heartbeat', 'PUT /enabled?enabled=1']);
      expect(await installing).toMatchObject({ installed: true, enabled: true, error: '' });
    });

    it('gets the headers of AppAPI with everything but the heartbeat', async () => {
      await installed();
      const [heartbeat, init] = app.received;
      expect(heartbeat?.headers['authorization-app-api']).toBeUndefined();
      expect(init?.headers).toMatchObject({
        'ex-app-id': 'nuqloud_ai',
        'ex-app-version': '1.0.0',
        'authorization-app-api': Buffer.from(':app-secret').toString('base64'),
        'aa-version': '32.0.1',
      });
    });

    it('needs no init of its own', async () => {
      app.answers.set('POST /init', { status: 404, body: {} });
      expect(await install()).toMatchObject({ enabled: true });
    });

    it('is left disabled, with the reason', async () => {
      app.answers.set('POST /init', { status: 401, body: {} });
      expect(await install()).toMatchObject({ enabled: false, error: 'Init failed: 401' });
      await operate('DELETE', '');
      app.answers.delete('POST /init');
      expect(await startInit({ initMs: 1 })).toMatchObject({ enabled: false, error: 'Init timed out' });
      await operate('DELETE', '');
      app.answers.set('GET /heartbeat', { status: 503, body: {} });
      expect(await install({ heartbeats: 1 })).toMatchObject({ error: 'Heartbeat check failed' });
    });

    it('is left disabled when it answers with an error that it cannot be enabled', async () => {
      app.answers.set('PUT /enabled?enabled=1', { status: 200, body: { error: 'no Talk' } });
      expect(await installed()).toMatchObject({ enabled: false, error: 'no Talk' });
    });

    it('may make other calls during its init from AppAPI 33 on', async () => {
      const stateDuringInit = async (version: string) => {
        emulator.reset(teamFixture(version, 'http://127.0.0.1:9/hook'));
        app.received.length = 0;
        const installing = startInit();
        await eventually(() => seen().includes('POST /init'), { describe: '/init' });
        const { status } = await asApp('POST', '/api/v1/talk_bot', { name: 'NuQ', route: 'talk_bot' });
        await asApp('PUT', '/ex-app/status', { progress: 100 });
        await installing;
        return status;
      };
      expect(await stateDuringInit('32.0.1')).toBe(401);
      expect(await stateDuringInit('33.0.0')).toBe(200);
    });
  });

  it('may ask for its state with its secret only, also while it is disabled', async () => {
    await installed();
    expect(await dataOf(await asApp('GET', '/ex-app/state'))).toBe(1);
    await operate('POST', '/disable');
    expect(await dataOf(await asApp('GET', '/ex-app/state'))).toBe(0);
    expect((await asApp('POST', '/api/v1/talk_bot', { name: 'NuQ', route: 'x' })).status).toBe(401);
    expect((await asApp('GET', '/ex-app/state', undefined, 'wrong')).status).toBe(401);
  });

  it('is told when it is disabled, and gone when it is uninstalled', async () => {
    await installed();
    await registerBot();
    expect(await operate('POST', '/disable')).toMatchObject({ enabled: false });
    expect(await operate('POST', '/enable')).toMatchObject({ enabled: true });
    expect(await operate('DELETE', '')).toEqual({ installed: false });
    expect(seen().slice(4)).toEqual([
      'PUT /enabled?enabled=0',
      'PUT /enabled?enabled=1',
      'PUT /enabled?enabled=0',
    ]);
    expect((await control('POST', '/appapi/enable')).status).toBe(404);
    expect((await asApp('GET', '/ex-app/state')).status).toBe(401);
  });

  describe('its Talk bot', () => {
    it('is registered once, with the same secret each time', async () => {
      await installed();
      const first = await registerBot();
      expect(first).toMatchObject({ id: sha1('nuqloud_ai_talk_bot') });
      expect(first.secret).toHaveLength(64);
      expect(await registerBot('NuQ 2')).toEqual(first);
      expect((await operate('GET', '')).talkBots).toMatchObject([{ route: 'talk_bot', name: 'NuQ 2' }]);
      await operate('POST', '/new-bot-secrets');
      expect((await registerBot()).secret).not.toBe(first.secret);
    });

    it('hears through Nextcloud what is written, encoded anew and without a signature, and can answer', async () => {
      await installed();
      const { secret } = await registerBot();
      const [bot] = (await operate('GET', '')).talkBots ?? [];
      expect((await talkAs('alice', 'POST', `/v1/bot/${ROOM}/${bot?.botId}`)).status).toBe(201);
      await control('POST', `/rooms/${ROOM}/messages`, { user: 'alice', text: 'Grüße' });
      const told = app.received.filter(({ path }) => path === '/talk_bot');
      const bodies = told.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
      expect(bodies.map(({ type }) => type)).toEqual(['Join', 'Create']);
      expect(bodies[1]).toMatchObject({ appId: 'nuqloud_ai', route: 'talk_bot' });
      expect(told[1]?.headers).toMatchObject({
        'authorization-app-api': Buffer.from(':app-secret').toString('base64'),
      });
      expect(Object.keys(told[1]?.headers ?? {}).filter((name) => name.includes('talk'))).toEqual([]);
      const random = 'r'.repeat(32);
      const signature = createHmac('sha256', secret).update(random).update('Hi').digest('hex');
      const answer = await fetch(
        `${emulator.url}/ocs/v2.php/apps/spreed/api/v1/bot/${ROOM}/message?format=json`,
        {
          method: 'POST',
          headers: {
            'Content-Type': 'application/json',
            'OCS-APIRequest': 'true',
            'X-Nextcloud-Talk-Bot-Random': random,
            'X-Nextcloud-Talk-Bot-Signature': signature,
          },
          body: JSON.stringify({ message: 'Hi' }),
        },
      );
      expect(answer.status).toBe(201);
    });

    it('is found for nobody but Talk, and only while the app is enabled', async () => {
      await installed();
      const { secret } = await registerBot();
      const proxy = async (key: string) => {
        const body = '{"type":"Create"}';
        const random = 'r'.repeat(64);
        const response = await fetch(`${emulator.url}${APP}/api/v1/talk_proxy/nuqloud_ai/talk_bot`, {
          method: 'POST',
          headers: {
            'Content-Type': 'application/json',
            'X-Nextcloud-Talk-Random': random,
            'X-Nextcloud-Talk-Signature': createHmac('sha256', key).update(random).update(body).digest('hex'),
          },
          body,
        });
        return response.status;
      };
      expect(await proxy('wrong')).toBe(404);
      expect(await proxy(secret)).toBe(200);
      app.answers.set('POST /talk_bot', { status: 503, body: {} });
      expect(await proxy(secret)).toBe(200);
      await operate('POST', '/disable');
      expect(await proxy(secret)).toBe(404);
    });

    it('needs Talk, and is unknown after it was removed', async () => {
      await installed();
      await registerBot();
      expect((await asApp('DELETE', '/api/v1/talk_bot', { route: '/talk_bot' })).status).toBe(200);
      expect((await asApp('DELETE', '/api/v1/talk_bot', { route: '/talk_bot' })).status).toBe(404);
      await control('PUT', '/version', { apps: ['app_api'] });
      expect((await asApp('POST', '/api/v1/talk_bot', { name: 'NuQ', route: 'talk_bot' })).status).toBe(400);
    });
  });
});
