import path from 'node:path';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { PRODUCT_VERSION } from '@nuqloud/contracts';
import { createPrisma, requireDatabase, serviceDatabaseUrl } from '@nuqloud/database';
import { Bus, BusServer } from '@nuqloud/messaging';
import {
  listeningUrl,
  loadProvision,
  nestLogger,
  readPrivateKeys,
  RowSecrets,
  startService,
  TokenSigner,
} from '@nuqloud/platform';
import type { Closing, Logger, RunningService } from '@nuqloud/platform';
import { FileSpool } from './adapters/file-spool';
import { HttpTalkBotApi } from './adapters/http-talk-bot-api';
import { PrismaAppStore } from './adapters/prisma-app-store';
import { PrismaBotStore } from './adapters/prisma-bot-store';
import { ReportInit } from './app-life-cycle/report-init';
import { applyProvision } from './apply-provision/apply-provision';
import { BotDirectory } from './bots/bot-directory';
import { CatchUp } from './catch-up/catch-up';
import { NoteKnown } from './catch-up/note-known';
import { DeliverOutbox } from './deliver-outbox/deliver-outbox';
import { PublishSpool } from './publish-spool/publish-spool';
import type { TalkIngressConfig } from './talk-ingress.config';
import { TalkIngressModule } from './talk-ingress.module';
import type { TalkIngressDependencies } from './talk-ingress.module';
import { TestAppBot } from './test-app-bot/test-app-bot';

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

export const startTalkIngress = (options: TalkIngressOptions): Promise<RunningTalkIngress> =>
  startService(SERVICE, async (closing) => ({ url: await open(options, closing) }));

const open = async ({ config, env, logger }: TalkIngressOptions, closing: Closing): Promise<string> => {
  const keys = await readPrivateKeys(config.KEYS_DIR, SERVICE);
  const prisma = closing.add(
    createPrisma(serviceDatabaseUrl(config.DATABASE_URL, SERVICE, keys.databasePassword)),
    (client) => client.$disconnect(),
  );
  await requireDatabase(prisma);
  const spool = await FileSpool.open(
    path.resolve(config.SPOOL_DIR ?? path.join(config.DATA_DIR, 'spool')),
    new RowSecrets(config.ENCRYPTION_KEY, 'spool'),
    logger,
  );
  const secrets = new RowSecrets(config.ENCRYPTION_KEY, 'ingress_bots');
  if (config.PROVISION_FILE) {
    const provision = await loadProvision(config.PROVISION_FILE, env);
    await applyProvision(new PrismaBotStore(prisma), new PrismaAppStore(prisma), provision, secrets);
  }
  const bus = closing.add(
    await Bus.connect({ url: config.NATS_URL, service: SERVICE, natsSeed: keys.natsSeed }, logger),
    (connection) => connection.close(),
  );
  const signer = new TokenSigner(SERVICE, keys.signing);
  const talk = new HttpTalkBotApi();
  const appSecrets = new RowSecrets(config.ENCRYPTION_KEY, 'ingress_apps');
  const app = await createApplication({ bus, prisma, signer, secrets, appSecrets, talk, spool, logger });
  // In reverse at the end: no new webhook or post, then the calls in hand, then what both need.
  const bots = closing.add(app.get(BotDirectory), (directory) => directory.stop());
  const delivery = closing.add(app.get(DeliverOutbox), (outbox) => outbox.stop());
  const published = closing.add(app.get(PublishSpool), (publisher) => publisher.stop());
  closing.add(app.get(NoteKnown), (known) => known.stop());
  const catchUp = closing.add(app.get(CatchUp), (reading) => reading.stop());
  const initialisation = closing.add(app.get(ReportInit), (reports) => reports.stop());
  const appBots = closing.add(app.get(TestAppBot), (test) => test.stop());
  closing.add(app, (application) => application.close());
  await bots.start();
  await app.startAllMicroservices();
  await app.listen(config.APP_PORT, config.APP_HOST);
  delivery.start();
  published.start();
  catchUp.start();
  await initialisation.resume();
  await appBots.start();
  return listeningUrl(config.APP_HOST, app.getHttpServer());
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
    strategy: new BusServer({
      bus,
      logger,
      version: PRODUCT_VERSION,
      description: 'The door to Talk, both ways',
    }),
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
