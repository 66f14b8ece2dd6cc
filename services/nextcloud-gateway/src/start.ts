import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { GATEWAY_REFUSALS, PRODUCT_VERSION } from '@nuqloud/contracts';
import { connectRedis, createPrisma, requireDatabase, serviceDatabaseUrl } from '@nuqloud/database';
import { Bus, BusServer } from '@nuqloud/messaging';
import {
  AuditSigner,
  listeningUrl,
  loadProvision,
  nestLogger,
  readPrivateKeys,
  readPublicKeys,
  RowSecrets,
  startService,
} from '@nuqloud/platform';
import type { Closing, Logger, RunningService } from '@nuqloud/platform';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { HttpNextcloud } from './adapters/http-nextcloud';
import type { NextcloudTimeouts } from './adapters/http-nextcloud';
import { applyProvision } from './apply-provision/apply-provision';
import { GatewayRefusal } from './domain/gateway-refusal';
import { ForwardRequest } from './forward-request/forward-request';
import { forwardRoutes } from './forward-request/forward.routes';
import type { GatewayConfig } from './gateway.config';
import { GatewayModule } from './gateway.module';
import type { GatewayDependencies } from './gateway.module';
import { RefusalFilter } from './refuse-request/refusal.filter';
import { describeRefusal } from './refuse-request/describe-refusal';
import { sendRefusal } from './refuse-request/send-refusal';

export interface GatewayOptions {
  readonly config: GatewayConfig;
  /** Raw environment, for `${NAME}` in the provision file only. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger;
  /** How long Nextcloud is waited for; the defaults suit a real one. */
  readonly timeouts?: NextcloudTimeouts;
}

export interface RunningGateway extends RunningService {
  /** Where it listens, without a trailing slash: `GATEWAY_URL` of the tool services. */
  readonly url: string;
}

const SERVICE = 'nextcloud-gateway';
/** `POST /resolve` is the only body that is read as a whole, and it is tiny. */
const BODY_LIMIT_BYTES = 16 * 1024;
/** A long path comes twice, in the request line and in the service token; an attestation may have 8 KB. */
const HEADER_LIMIT_BYTES = 64 * 1024;

export const startGateway = (options: GatewayOptions): Promise<RunningGateway> =>
  startService(SERVICE, async (closing) => ({ url: await open(options, closing) }));

const open = async ({ config, env, logger, timeouts }: GatewayOptions, closing: Closing): Promise<string> => {
  const [keys, publicKeys] = await Promise.all([
    readPrivateKeys(config.KEYS_DIR, SERVICE),
    readPublicKeys(config.KEYS_DIR),
  ]);
  const prisma = closing.add(
    createPrisma(serviceDatabaseUrl(config.DATABASE_URL, SERVICE, keys.databasePassword)),
    (client) => client.$disconnect(),
  );
  await requireDatabase(prisma);
  const secrets = new RowSecrets(config.ENCRYPTION_KEY, 'gateway_instances');
  if (config.PROVISION_FILE) {
    await applyProvision(prisma, await loadProvision(config.PROVISION_FILE, env), secrets);
  }
  const redis = closing.add(connectRedis(config.REDIS_URL, logger), (client) => client.destroy());
  const bus = closing.add(
    await Bus.connect({ url: config.NATS_URL, service: SERVICE, natsSeed: keys.natsSeed }, logger),
    (connection) => connection.close(),
  );
  const nextcloud = closing.add(new HttpNextcloud(timeouts), (client) => client.close());
  const app = closing.add(
    await createApplication({
      ...{ bus, prisma, redis, nextcloud, publicKeys, logger, secrets },
      auditSigner: new AuditSigner(keys.signing),
    }),
    // Waits for the transfers in hand: everything above is needed until the last has ended.
    (application) => application.close(),
  );
  await app.startAllMicroservices();
  await app.listen(config.GATEWAY_PORT, config.GATEWAY_HOST);
  return listeningUrl(config.GATEWAY_HOST, app.getHttpServer());
};

const createApplication = async (given: GatewayDependencies): Promise<NestFastifyApplication> => {
  const { bus, logger } = given;
  const adapter = new FastifyAdapter({
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    http: { maxHeaderSize: HEADER_LIMIT_BYTES },
    // What the router itself cannot decode; its own answer would quote it.
    frameworkErrors: (error: FastifyError, _request: FastifyRequest, reply: FastifyReply) => {
      logger.warn({ event: 'gateway.refused', ...describeRefusal(error) });
      reply.hijack();
      sendRefusal(reply.raw, undecodablePath());
    },
  });
  const app = await NestFactory.create<NestFastifyApplication>(GatewayModule.forRoot(given), adapter, {
    logger: nestLogger(logger),
    abortOnError: false,
  });
  app.useGlobalFilters(new RefusalFilter(logger));
  await app.register(forwardRoutes(app.get(ForwardRequest), logger));
  app.connectMicroservice<MicroserviceOptions>({
    strategy: new BusServer({
      bus,
      logger,
      version: PRODUCT_VERSION,
      description: 'The only way to Nextcloud',
    }),
  });
  return app;
};

const undecodablePath = (): GatewayRefusal =>
  new GatewayRefusal(
    GATEWAY_REFUSALS.INVALID_PATH,
    'The path is not valid percent-encoded UTF-8. Encode each segment once with encodeURIComponent.',
  );
