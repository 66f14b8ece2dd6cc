import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startAllInOne } from '@nuqloud/all-in-one';
import type { RunningAllInOne } from '@nuqloud/all-in-one';
import { readDemoTeam, startEmulator } from '@nuqloud/nextcloud-emulator';
import type { Emulator } from '@nuqloud/nextcloud-emulator';
import { eventually, pickFreePort, startDemoModel, startTestBed } from '@nuqloud/testing';
import type { ModelServer, TestBed } from '@nuqloud/testing';
import { Room } from './apart/room';
import { ServiceProcess } from './apart/service-process';

const APP_SECRET = `app-secret-${randomBytes(24).toString('hex')}`;
const ENCRYPTION_KEY = randomBytes(32).toString('base64');
const ROOM = 'throughapp';

const PROVISION = `version: 1
instances:
  - { id: default, url: "\${NEXTCLOUD_URL}", appApi: { id: nuqloud_ai, secret: "\${APP_SECRET}", version: 0.1.0, bot: nuq } }
bots:
  - { slug: nuq, instance: default, name: NuQ, triggers: [nuq], tools: ["files_*"] }
`;

let bed: TestBed;
let model: ModelServer;
let emulator: Emulator;
let folder: string;
let rest: RunningAllInOne;
let ingress: ServiceProcess;
let ingressUrl: string;
let room: Room;

/** Everything but talk-ingress in one process; that one apart, as built, to be killed. */
beforeAll(async () => {
  [bed, model, folder] = await Promise.all([
    startTestBed(),
    startDemoModel(),
    mkdtemp(path.join(tmpdir(), 'nuqloud-external-')),
  ]);
  emulator = await startEmulator({ fixture: world(), webRoot: '/nextcloud' });
  const port = await pickFreePort();
  ingressUrl = `http://127.0.0.1:${port}`;
  const provision = path.join(folder, 'provision.yaml');
  await writeFile(provision, PROVISION);
  const common = {
    DATABASE_URL: bed.databaseUrl,
    NATS_URL: bed.natsUrl,
    REDIS_URL: bed.redisUrl,
    KEYS_DIR: bed.keysDir,
    DATA_DIR: folder,
    PROVISION_FILE: provision,
    ENCRYPTION_KEY,
  };
  const given = { NEXTCLOUD_URL: emulator.url, APP_SECRET };
  rest = await startAllInOne({
    config: {
      ...common,
      ...{ APP_HOST: '127.0.0.1', APP_PORT: 0, GATEWAY_HOST: '127.0.0.1', GATEWAY_PORT: 0 },
      ...{ OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: '', OPENAI_MODEL: 'demo' },
      ...{ CONFIRMATION_TTL_S: 600, LOG_LEVEL: 'silent' },
    },
    env: given,
    except: new Set(['talk-ingress']),
  });
  // Of the AppAPI secret this process has only the reference in the provision file.
  const env = { ...common, NEXTCLOUD_URL: emulator.url, APP_PORT: String(port), LOG_LEVEL: 'trace' };
  ingress = new ServiceProcess('talk-ingress', env);
  await ingress.start();
  room = new Room(emulator.url, ROOM);
}, 120_000);

afterAll(async () => {
  await ingress.kill();
  await rest.close();
  await Promise.all([emulator.close(), model.stop()]);
  await bed.close();
  await rm(folder, { recursive: true, force: true });
});

const world = () => ({
  ...readDemoTeam(),
  appApi: undefined,
  bots: [],
  rooms: [{ token: ROOM, name: 'Through AppAPI', members: ['users/alice', 'users/bob'] }],
});

const control = async <T>(method: string, call: string, body?: object): Promise<T> => {
  const response = await fetch(`${emulator.url}/_emulator/${call}`, {
    method,
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as T;
};

interface AppState {
  readonly installed: boolean;
  readonly enabled: boolean;
  readonly error: string;
  readonly talkBots: { botId: number }[];
}

const install = (secret: string): Promise<AppState> =>
  control('POST', 'appapi/install', {
    secret,
    version: '0.1.0',
    url: ingressUrl,
    heartbeats: 3,
    initMs: 20_000,
  });

/** As a moderator, in the room's settings. */
const addBotToRoom = async (): Promise<number> => {
  const [bot] = (await control<AppState>('GET', 'appapi')).talkBots;
  const { status } = await fetch(`${emulator.url}/ocs/v2.php/apps/spreed/api/v1/bot/${ROOM}/${bot?.botId}`, {
    method: 'POST',
    headers: { 'OCS-APIRequest': 'true', authorization: `Basic ${btoa('alice:alice-demo-password')}` },
  });
  return status;
};

const ask = async (text: string): Promise<string> => {
  const id = await room.write(text);
  const answer = await room.answerTo(id);
  await room.workEnds(id);
  return answer;
};

it('shows its heartbeat before Nextcloud knows of it', async () => {
  const response = await fetch(`${ingressUrl}/heartbeat`);
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
});

it('is not initialised by a Nextcloud with another secret', async () => {
  expect(await install('another secret')).toMatchObject({ enabled: false, error: 'Init failed: 401' });
  expect(ingress.lines).toContain('"reason":"WRONG_SECRET"');
  await control('DELETE', 'appapi');
});

it('is installed and enabled, and its bot answers with a tool, in the name of who asked', async () => {
  expect(await install(APP_SECRET)).toMatchObject({ installed: true, enabled: true, error: '' });
  expect(await addBotToRoom()).toBe(201);
  await eventually(async () => (await room.help()).includes('**Delete'), {
    describe: 'the Files tools',
    deadlineMs: 30_000,
  });
  expect(await ask('nuq list /Docs')).toContain('plan.md');
});

it('does what was confirmed through the same door', async () => {
  await room.write('nuq delete /Docs/plan.md');
  expect(await room.prompt()).toContain('/Docs/plan.md');
  expect(await ask('yes')).toMatch(/^Done: /);
});

it('answers after talk-ingress was killed: its self-test says so, and so does the bot', async () => {
  await ingress.kill();
  await ingress.start();
  await eventually(() => /"event":"app-bot.self-test".*"result":"ANSWERS"/.test(ingress.lines), {
    describe: 'the self-test',
    deadlineMs: 20_000,
  });
  expect(await ask('nuq help')).toContain('NuQ');
});

it('is silent and gone from the room once it is disabled, and comes back when it is enabled', async () => {
  const answers = (await room.ofBot()).length;
  expect(await control<AppState>('POST', 'appapi/disable')).toMatchObject({ enabled: false, talkBots: [] });
  const unheard = await room.write('nuq help');
  expect(await control<AppState>('POST', 'appapi/enable')).toMatchObject({ enabled: true, error: '' });
  expect(await addBotToRoom()).toBe(201);
  expect(await ask('nuq help')).toContain('NuQ');
  expect(await room.answersTo(unheard)).toEqual([]);
  expect((await room.ofBot()).length).toBe(answers + 1);
});

it('is uninstalled, and nothing of it is left in Nextcloud', async () => {
  expect(await control('DELETE', 'appapi')).toEqual({ installed: false });
  const { webhooks } = await control<{ webhooks: unknown[] }>('GET', 'webhooks');
  await room.write('nuq help');
  expect((await control<{ webhooks: unknown[] }>('GET', 'webhooks')).webhooks).toHaveLength(webhooks.length);
});

it('has written neither secret into its log', () => {
  expect(ingress.lines).toContain('"event":"app-bot.registered"');
  for (const secret of [APP_SECRET, btoa(`:${APP_SECRET}`), ENCRYPTION_KEY])
    expect(ingress.lines).not.toContain(secret);
});
