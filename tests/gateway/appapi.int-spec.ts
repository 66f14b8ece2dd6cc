import { randomBytes } from 'node:crypto';
import {
  GATEWAY_REFUSALS,
  ReadAppState,
  RegisterAppBot,
  ReportAppProgress,
  UnregisterAppBot,
  VerifyAppLogin,
} from '@nuqloud/contracts';
import { startEmulator } from '@nuqloud/nextcloud-emulator';
import type { Emulator } from '@nuqloud/nextcloud-emulator';
import { appLoginProof, OneReader } from '@nuqloud/platform';
import type { Bus } from '@nuqloud/messaging';
import { APP_SECRET, GatewayBed } from './gateway-bed';

const FIXTURE = {
  nextcloud: { version: '33.0.0', apps: ['spreed', 'app_api'] },
  appApi: { id: 'nuqloud_ai', secret: APP_SECRET },
};
const DEFAULT = { v: 1, instance: 'default' } as const;

let bed: GatewayBed;
let emulator: Emulator;
let ingress: Bus;

beforeAll(async () => {
  bed = await GatewayBed.start();
  emulator = await startEmulator({ fixture: FIXTURE, webRoot: '/nextcloud' });
  await bed.startGateway({ default: emulator.url, gone: 'http://127.0.0.1:9' });
  ingress = await bed.stores.busOf('talk-ingress');
});

beforeEach(() => emulator.reset());

afterAll(async () => {
  await bed.close();
  await emulator.close();
});

const control = async (method: string, call: string, body?: object): Promise<Record<string, unknown>> => {
  const response = await fetch(`${emulator.url}/_emulator/${call}`, {
    method,
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Record<string, unknown>;
};

const login = (secret: string, version = '0.1.0') => {
  const nonce = randomBytes(32).toString('base64url');
  const proof = appLoginProof(secret, nonce);
  return ingress.request(VerifyAppLogin, {}, { v: 1, appId: 'nuqloud_ai', version, nonce, proof });
};

const register = async (instance = 'default') => {
  const reader = await OneReader.make();
  const { sealedSecret } = await ingress.request(
    RegisterAppBot,
    {},
    { v: 1, instance, name: 'NuQ', description: 'Helps', replyKey: reader.publicKey },
  );
  return { secret: await reader.open(sealedSecret), sealedSecret };
};

describe('an AppAPI login that came to talk-ingress', () => {
  it('is judged by the gateway, which says no more of the secret than whether it was right', async () => {
    // Both Nextclouds of this gateway have the same app and secret.
    expect(await login(APP_SECRET)).toEqual({ v: 1, accepted: false, reason: 'AMBIGUOUS' });
    expect(await login('wrong')).toEqual({ v: 1, accepted: false, reason: 'WRONG_SECRET' });
  });
});

describe('what the app does for itself in Nextcloud', () => {
  it('learns whether it is enabled, and makes its version known by that', async () => {
    expect(await control('GET', 'appapi')).toMatchObject({ version: '0.0.0' });
    await expect(ingress.request(ReadAppState, {}, DEFAULT)).resolves.toEqual({ v: 1, enabled: true });
    expect(await control('GET', 'appapi')).toMatchObject({ version: '0.1.0' });
  });

  it('registers its Talk bot, again and again with the same secret, which only the asker can open', async () => {
    const [first, second] = [await register(), await register()];
    expect(first.secret).toHaveLength(64);
    expect(second.secret).toBe(first.secret);
    expect(second.sealedSecret).not.toBe(first.sealedSecret);
    expect(await control('GET', 'appapi')).toMatchObject({
      talkBots: [{ route: 'talk_bot', name: 'NuQ', description: 'Helps' }],
    });
    expect(bed.logs.join('')).not.toContain(first.secret);
    expect(bed.logs.join('')).not.toContain(APP_SECRET);
  });

  it('removes the bot, and says whether there was one', async () => {
    await register();
    await expect(ingress.request(UnregisterAppBot, {}, DEFAULT)).resolves.toEqual({ v: 1, removed: true });
    await expect(ingress.request(UnregisterAppBot, {}, DEFAULT)).resolves.toEqual({ v: 1, removed: false });
  });

  it('reports its progress', async () => {
    await ingress.request(ReportAppProgress, {}, { ...DEFAULT, progress: 40 });
    expect(await control('GET', 'appapi')).toMatchObject({ progress: 40 });
  });

  it('fails in words when Talk is missing, the secret is wrong, or Nextcloud is away', async () => {
    await control('PUT', 'version', { apps: ['app_api'] });
    await expect(register()).rejects.toMatchObject({ code: GATEWAY_REFUSALS.NO_TALK, retryable: false });
    emulator.reset({ ...FIXTURE, appApi: { id: 'nuqloud_ai', secret: 'another' } });
    await expect(register()).rejects.toMatchObject({ code: GATEWAY_REFUSALS.CREDENTIALS_REFUSED });
    await expect(register('gone')).rejects.toMatchObject({ code: GATEWAY_REFUSALS.UNREACHABLE });
    await expect(register('nowhere')).rejects.toMatchObject({ code: GATEWAY_REFUSALS.UNKNOWN_INSTANCE });
  });
});
