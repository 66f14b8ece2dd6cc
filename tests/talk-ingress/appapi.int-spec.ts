import { eventually } from '@nuqloud/testing';
import { APP_SECRET, AppBed, PLAIN_SECRET } from './app-bed';
import type { AppState } from './app-bed';

jest.setTimeout(60_000);

let bed: AppBed;

beforeAll(async () => {
  bed = await AppBed.start();
});

afterAll(() => bed.close());

const LOGIN = {
  'ex-app-id': 'nuqloud_ai',
  'ex-app-version': '0.1.0',
  'authorization-app-api': btoa(`:${APP_SECRET}`),
};

const call = async (method: string, path: string, headers: Record<string, string> = {}, body?: string) => {
  const response = await fetch(bed.url + path, { method, headers, ...(body !== undefined && { body }) });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

const withoutHeader = (name: keyof typeof LOGIN): Record<string, string> =>
  Object.fromEntries(Object.entries(LOGIN).filter(([header]) => header !== name));

const storedSecret = async () => (await bed.owner.ingressApp.findFirstOrThrow()).sealedSecret;

describe('the heartbeat', () => {
  it('needs no login and nothing that is behind it', async () => {
    await bed.stopGateway();
    expect(await call('GET', '/heartbeat')).toEqual({ status: 200, body: { status: 'ok' } });
    await bed.startGateway();
  });
});

describe('a call that does not come from our Nextcloud', () => {
  it.each<[string, Record<string, string>]>([
    ['NO_APP_ID', {}],
    ['NO_APP_VERSION', withoutHeader('ex-app-version')],
    ['NO_AUTHORIZATION', withoutHeader('authorization-app-api')],
    ['MALFORMED_AUTHORIZATION', { ...LOGIN, 'authorization-app-api': 'no:base64' }],
    ['ACTS_AS_USER', { ...LOGIN, 'authorization-app-api': btoa(`alice:${APP_SECRET}`) }],
    ['WRONG_SECRET', { ...LOGIN, 'authorization-app-api': btoa(`:${APP_SECRET}x`) }],
    ['UNKNOWN_APP', { ...LOGIN, 'ex-app-id': 'another_app' }],
    ['WRONG_VERSION', { ...LOGIN, 'ex-app-version': '9.9.9' }],
  ])('is refused with 401, and the log says %s', async (reason, headers) => {
    const calls = [
      ['POST', '/init'],
      ['PUT', '/enabled?enabled=1'],
      ['POST', '/talk_bot'],
    ] as const;
    for (const [method, path] of calls) {
      const from = bed.logged('app.refused').length;
      const body = method === 'POST' ? '{}' : undefined;
      expect(await call(method, path, headers, body)).toEqual({ status: 401, body: { error: reason } });
      expect(bed.logged('app.refused').slice(from)).toMatchObject([
        { reason, call: `${method} ${path.split('?')[0]}` },
      ]);
    }
    expect(await bed.owner.ingressApp.findFirstOrThrow()).toMatchObject({
      initDue: false,
      sealedSecret: null,
    });
  });

  it('is told apart from one that nobody can judge', async () => {
    await bed.stopGateway();
    expect(await call('POST', '/init', LOGIN)).toEqual({ status: 503, body: { error: 'NOT_VERIFIED' } });
    await bed.startGateway();
  });
});

describe('an app that is installed in Nextcloud', () => {
  beforeAll(async () => {
    expect(await bed.install()).toMatchObject({ installed: true, enabled: true, error: '' });
    await bed.setUpBot();
  });

  it('has its bot registered, whose secret stands sealed in the database and nowhere else', async () => {
    const { talkBots } = await bed.control<AppState>('GET', 'appapi');
    expect(talkBots).toMatchObject([{ name: 'NuQ', route: 'talk_bot' }]);
    expect(await storedSecret()).toMatch(/^v1\./);
    await eventually(async () => !(await bed.owner.ingressApp.findFirstOrThrow()).initDue, {
      describe: 'the end of the initialisation',
    });
  });

  it('hears through AppAPI what people write, attested like everything else', async () => {
    const id = await bed.write('Grüße 😀');
    expect(await bed.eventOf(id)).toMatchObject({
      kind: 'message',
      instance: 'default',
      bot: 'nuq',
      room: 'through',
      actor: { type: 'users', id: 'alice' },
      text: 'Grüße 😀',
    });
    expect(bed.logged('webhook.stored').at(-1)).toMatchObject({ where: 'log', duplicate: false });
  });

  it('counts the same delivery once', async () => {
    const { webhooks } = await bed.control<{ webhooks: { n: number; url: string }[] }>('GET', 'webhooks');
    const last = webhooks.filter(({ url }) => url === `${bed.url}/talk_bot`).at(-1);
    expect(await bed.control('POST', `webhooks/${last?.n}/replay`)).toMatchObject({ status: 200 });
    expect(bed.logged('webhook.stored').at(-1)).toMatchObject({ duplicate: true });
  });

  it('answers each room with the secret of the door through which Talk came', async () => {
    await bed.write('hello', 'plain');
    const [through, plain] = [await bed.post('hello through'), await bed.post('hello plain', 'plain')];
    expect(through?.actorType).toBe('bots');
    expect(plain?.actorType).toBe('bots');
    expect(plain?.actorId).not.toBe(through?.actorId);
  });

  it('refuses an enabled that is neither 0 nor 1, and a body that is no JSON', async () => {
    expect((await call('PUT', '/enabled?enabled=yes', LOGIN)).status).toBe(400);
    expect((await call('POST', '/talk_bot', LOGIN, 'no json')).status).toBe(400);
    expect((await call('POST', '/talk_bot', LOGIN, `"${'x'.repeat(2 ** 20)}"`)).status).toBe(413);
  });
});

describe('after a restart', () => {
  it('the self-test says that the bot can answer, and it does', async () => {
    expect(await bed.restartIngress()).toMatchObject({ result: 'ANSWERS', secretReplaced: false });
    expect(await bed.post('back again')).toBeDefined();
    const metrics = await (await fetch(`${bed.url}/metrics`)).text();
    expect(metrics).toContain('nuqloud_ingress_app_bot_can_answer{instance="default"} 1');
  });

  it('a secret that is lost or cannot be opened is fetched again', async () => {
    for (const sealedSecret of [null, 'v1.elsewhere.AAAA']) {
      await bed.owner.ingressApp.updateMany({ data: { sealedSecret } });
      expect(await bed.restartIngress()).toMatchObject({ result: 'ANSWERS', secretReplaced: true });
      expect(await bed.post(`fetched again after ${sealedSecret}`)).toBeDefined();
    }
  });

  it('a bot that was removed from its room is told as such', async () => {
    await bed.control('PUT', 'version', { nextcloud: '32.0.2' });
    const { talkBots } = await bed.control<AppState>('GET', 'appapi');
    // As `occ talk:bot:remove` does it: the bot hears of it, but this one was down.
    await bed.stopIngress();
    await fetch(`${bed.emulator.url}/ocs/v2.php/apps/spreed/api/v1/bot/through/${talkBots[0]?.botId}`, {
      method: 'DELETE',
      headers: { 'OCS-APIRequest': 'true', authorization: `Basic ${btoa('alice:alice-password')}` },
    });
    expect(await bed.restartIngress()).toMatchObject({ result: 'REFUSED', level: 50 });
    await bed.setUpBot();
    expect(await bed.restartIngress()).toMatchObject({ result: 'ANSWERS' });
  });

  it('a report of the initialisation that is due is made', async () => {
    await bed.control('DELETE', 'appapi');
    const fault = { match: { path: '/ocs/v1.php/apps/app_api/ex-app/status' }, drop: true, times: 100 };
    await bed.control('POST', 'faults', fault);
    const installing = bed.install();
    await eventually(() => bed.logged('app.init-not-reported').length > 0, { describe: 'a lost report' });
    await bed.stopIngress();
    await bed.control('DELETE', 'faults');
    await bed.startIngress();
    expect(await installing).toMatchObject({ enabled: true });
    await bed.setUpBot();
  });
});

describe('a secret that Nextcloud has changed', () => {
  it('is noticed at the first answer that Talk refuses, which is then given all the same', async () => {
    expect(await bed.post('before')).toBeDefined();
    await bed.control('POST', 'appapi/new-bot-secrets');
    expect(await bed.post('after')).toBeDefined();
    expect(bed.logged('post.again').at(-1)).toMatchObject({ reason: 'SECRET_REPLACED' });
  });
});

describe('an app that is disabled', () => {
  it('has no secret any more, and says nothing more to Talk', async () => {
    expect(await bed.control('POST', 'appapi/disable')).toMatchObject({ enabled: false, talkBots: [] });
    expect(await storedSecret()).toBeNull();
    const requests = async () =>
      (await bed.control<{ requests: { path: string }[] }>('GET', 'requests?after=0')).requests.filter(
        ({ path }) => path.includes('/bot/'),
      ).length;
    const before = await requests();
    expect(await bed.post('into the void')).toBeUndefined();
    expect(bed.logged('post.failed').at(-1)).toMatchObject({ reason: 'APP_DISABLED' });
    expect(await requests()).toBe(before);
    expect(await bed.post('the plain bot goes on', 'plain')).toBeDefined();
  });

  it('is told as such after a restart, also when Nextcloud disabled it meanwhile', async () => {
    expect(await bed.restartIngress()).toMatchObject({ result: 'DISABLED' });
    await bed.control('POST', 'appapi/enable');
    await bed.stopIngress();
    await bed.control('POST', 'appapi/disable');
    expect(await bed.restartIngress()).toMatchObject({ result: 'DISABLED' });
    expect(await storedSecret()).toBeNull();
  });

  it('answers again when it is enabled and set up again', async () => {
    expect(await bed.control('POST', 'appapi/enable')).toMatchObject({ enabled: true, error: '' });
    const registered = bed.logged('app-bot.registered').at(-1);
    expect(registered).toMatchObject({ instance: 'default', bot: 'nuq' });
    await bed.setUpBot().catch(() => undefined);
    expect(await bed.post('here again')).toBeDefined();
  });

  it('stays disabled, with the reason, where Talk is missing', async () => {
    await bed.control('DELETE', 'appapi');
    await bed.control('PUT', 'version', { apps: ['app_api'] });
    const state = await bed.install();
    expect(state.enabled).toBe(false);
    expect(state.error).toMatch(/^GATEWAY\.NO_TALK: .*enable Talk/);
  });
});

describe('secrets', () => {
  it('stand in no log, whatever happened', () => {
    const logs = bed.logs.join('');
    for (const secret of [APP_SECRET, btoa(`:${APP_SECRET}`), PLAIN_SECRET])
      expect(logs).not.toContain(secret);
    // As AppAPI makes the secrets of Talk bots.
    expect(logs).not.toMatch(/[0-9a-f]{64}/);
  });
});
