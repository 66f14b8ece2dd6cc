import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { PRODUCT_VERSION } from '@nuqloud/contracts';
import type { ServiceName } from '@nuqloud/contracts';
import { readDemoTeam, startEmulator } from '@nuqloud/nextcloud-emulator';
import type { Closing } from '@nuqloud/platform';
import { DEMO_MODEL_ID, pickFreePort, startDemoModel } from '@nuqloud/testing';
import type { ChatRequest } from '@nuqloud/testing';
import { ProductProcess, ROOT } from '../product/product-process';
import { startLocalStores } from '../stores/start-local-stores';

export interface DemoOptions {
  readonly dataDir: string;
  /** Port of the emulator and its chat page; 0 takes a free one. */
  readonly port: number;
  /** Services that are no part of the all-in-one, but processes of their own once they are started. */
  readonly apart: readonly ServiceName[];
  readonly say: (line: string) => void;
  /** Sees what is sent to the model. */
  readonly watchModel?: (request: ChatRequest) => void;
}

export interface Demo {
  /** The emulator's base URL; the chat page is at `/`. */
  readonly url: string;
  readonly product: ProductProcess;
  /** Starts a service that runs apart. */
  startService(name: ServiceName): Promise<ProductProcess>;
  readonly logFile: string;
  /** From the start of its process until it was ready. */
  readonly readyAfterMs: number;
  readonly webhookUrl: string;
  readonly botSecret: string;
  readonly natsUrl: string;
  readonly keysDir: string;
}

const NOTICE = 'Demo: the answers come from a script with a few fixed phrases, not from a language model.';

/** The whole system with the emulator as Nextcloud and a script as model. Every start is a new world. */
export const startDemo = async (options: DemoOptions, closing: Closing): Promise<Demo> => {
  const { say } = options;
  const dataDir = path.resolve(options.dataDir, 'demo');
  // The emulator counts its messages from 1 again, so what was known of earlier ones must go.
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true });
  closing.add(dataDir, (folder) => Promise.resolve(rmSync(folder, { recursive: true, force: true })));
  say('Starting NATS, Redis and PostgreSQL');
  const stores = await startLocalStores(dataDir, {}, say, closing);
  const [ingressPort, gatewayPort] = [await pickFreePort(), await pickFreePort()];
  const webhookUrl = `http://127.0.0.1:${ingressPort}/webhook/talk/nuq`;
  const team = demoTeam(webhookUrl);
  const emulator = closing.add(
    await startEmulator({ fixture: team.fixture, port: options.port, notice: NOTICE }),
    (running) => running.close(),
  );
  const model = closing.add(await startDemoModel({ watch: options.watchModel }), (running) => running.stop());
  const logFile = path.join(path.dirname(dataDir), 'demo.log');
  rmSync(logFile, { force: true });
  const env = {
    NATS_URL: stores.natsUrl,
    REDIS_URL: stores.redisUrl,
    DATABASE_URL: stores.databaseUrl,
    KEYS_DIR: stores.keysDir,
    DATA_DIR: dataDir,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    PROVISION_FILE: path.join(ROOT, 'apps/launcher/provision/demo.yaml'),
    NEXTCLOUD_URL: emulator.url,
    APP_ID: team.appApi.id,
    APP_SECRET: team.appApi.secret,
    APP_VERSION: PRODUCT_VERSION,
    APP_PORT: String(ingressPort),
    GATEWAY_PORT: String(gatewayPort),
    GATEWAY_URL: `http://127.0.0.1:${gatewayPort}`,
    TALK_BOT_SECRET: team.botSecret,
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_MODEL: DEMO_MODEL_ID,
  };
  const startService = async (name: ServiceName): Promise<ProductProcess> => {
    const service = closing.add(
      ProductProcess.start({ name, main: `services/${name}/dist/main.js`, env, logFile }),
      (running) => running.stop(),
    );
    await service.ready();
    return service;
  };
  say('Starting NuQloud-AI');
  const startedAt = performance.now();
  const product = closing.add(
    ProductProcess.start({
      name: 'NuQloud-AI',
      main: 'apps/all-in-one/dist/main.js',
      args: options.apart.flatMap((name) => ['--except', name]),
      env,
      logFile,
    }),
    (running) => running.stop(),
  );
  await product.ready();
  return {
    url: emulator.url,
    product,
    startService,
    logFile,
    readyAfterMs: performance.now() - startedAt,
    webhookUrl,
    botSecret: team.botSecret,
    natsUrl: stores.natsUrl,
    keysDir: stores.keysDir,
  };
};

/** The emulator's demo world, with the bot at our door. */
const demoTeam = (webhookUrl: string) => {
  const fixture = readDemoTeam();
  const [bot] = fixture.bots;
  if (!bot || !fixture.appApi) throw new Error('The demo fixture needs a bot and AppAPI values.');
  return {
    fixture: { ...fixture, bots: [{ ...bot, url: webhookUrl }] },
    appApi: fixture.appApi,
    botSecret: bot.secret,
  };
};
