import type { AddressInfo } from 'node:net';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createPrisma, serviceDatabaseUrl } from '@nuqloud/database';
import { Bus, BusServer } from '@nuqloud/messaging';
import { loadProvision, nestLogger, readPrivateKeys, TokenSigner } from '@nuqloud/platform';
import type { Logger, RunningService } from '@nuqloud/platform';
import { botSecrets } from './adapters/bot-secrets';
import { HttpTalkBotApi } from './adapters/http-talk-bot-api';
import { PrismaBotStore } from './adapters/prisma-bot-store';
import { applyProvision } from './apply-provision/apply-provision';
import { BotDirectory } from './bots/bot-directory';
import { DeliverOutbox } from './deliver-outbox/deliver-outbox';
import type { TalkIngressConfig } from './talk-ingress.config';
import { TalkIngressModule } from './talk-ingress.module';
import type { TalkIngressDependencies } from './talk-ingress.module';

export interface TalkIngressOptions {
  readonly config: TalkIngressConfig;
  /** Raw environment, for `${NAME}` in the provision file only. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger;
}

export interface RunningTalkIngress extends RunningService {
  /** Where it listens, without a trailing slash. */
  readonly url: string;
}

const SERVICE = 'talk-ingress';
/** A client that dawdles with its request is cut off; Talk itself gives up after 5 s. */
const REQUEST_TIMEOUT_MS = 15_000;

export const startTalkIngress = async (options: TalkIngressOptions): Promise<RunningTalkIngress> => {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step();
  };
  try {
    const url = await open(options, (step) => closing.push(step));
    return { name: SERVICE, url, close };
  } catch (error) {
    await close();
    throw error;
  }
};

/**
 * @param beforeThat what is to be done at the end, in reverse: no new webhook or post, then the calls in hand, then
 *   what both need
 */
const open = async (
  { config, env, logger }: TalkIngressOptions,
  beforeThat: (step: () => Promise<unknown>) => void,
): Promise<string> => {
  const keys = await readPrivateKeys(config.KEYS_DIR, SERVICE);
  const prisma = createPrisma(serviceDatabaseUrl(config.DATABASE_URL, SERVICE, keys.databasePassword));
  beforeThat(() => prisma.$disconnect());
  const secrets = botSecrets(config.ENCRYPTION_KEY);
  if (config.PROVISION_FILE) {
    const provision = await loadProvision(config.PROVISION_FILE, env);
    await applyProvision(new PrismaBotStore(prisma), provision, secrets);
  }
  const bus = await Bus.connect({ url: config.NATS_URL, service: SERVICE, natsSeed: keys.natsSeed });
  beforeThat(() => bus.close());
  const signer = new TokenSigner(SERVICE, keys.signing);
  const talk = new HttpTalkBotApi();
  const app = await createApplication({ bus, prisma, signer, secrets, talk, logger });
  const bots = app.get(BotDirectory);
  const delivery = app.get(DeliverOutbox);
  beforeThat(() => bots.stop());
  beforeThat(() => delivery.stop());
  beforeThat(() => app.close());
  await bots.start();
  await app.startAllMicroservices();
  await app.listen(config.APP_PORT, config.APP_HOST);
  delivery.start();
  return urlOf(config.APP_HOST, app);
};

const createApplication = async (given: TalkIngressDependencies): Promise<NestFastifyApplication> => {
  const { bus, logger } = given;
  const adapter = new FastifyAdapter({ logger: false, requestTimeout: REQUEST_TIMEOUT_MS });
  keepBodiesRaw(adapter);
  const app = await NestFactory.create<NestFastifyApplication>(TalkIngressModule.forRoot(given), adapter, {
    logger: nestLogger(logger),
    abortOnError: false,
    bodyParser: false,
  });
  app.connectMicroservice<MicroserviceOptions>({
    strategy: new BusServer({ bus, logger, version: '0.1.0', description: 'The door to Talk, both ways' }),
  });
  return app;
};

/** Bodies reach the controller as the stream they are: what is signed is their bytes, whatever type they claim. */
const keepBodiesRaw = (adapter: FastifyAdapter): void => {
  const server = adapter.getInstance();
  server.addHook('onRequest', (request, _reply, done) => {
    delete request.headers['content-type'];
    done();
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, body, done) => done(null, body));
};

const urlOf = (host: string, app: NestFastifyApplication): string => {
  const { port } = app.getHttpServer().address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
};
