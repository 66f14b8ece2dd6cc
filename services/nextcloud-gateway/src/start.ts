import type { AddressInfo } from 'node:net';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import { connectRedis, createPrisma, serviceDatabaseUrl } from '@nuqloud/database';
import { Bus, BusServer } from '@nuqloud/messaging';
import { loadProvision, nestLogger, readPrivateKeys, readPublicKeys } from '@nuqloud/platform';
import type { Logger, RunningService } from '@nuqloud/platform';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { HttpNextcloud } from './adapters/http-nextcloud';
import type { NextcloudTimeouts } from './adapters/http-nextcloud';
import { instanceSecrets } from './adapters/instance-secrets';
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

export const startGateway = async (options: GatewayOptions): Promise<RunningGateway> => {
  const { config, env, logger } = options;
  const [keys, publicKeys] = await Promise.all([
    readPrivateKeys(config.KEYS_DIR, SERVICE),
    readPublicKeys(config.KEYS_DIR),
  ]);
  const prisma = createPrisma(serviceDatabaseUrl(config.DATABASE_URL, SERVICE, keys.databasePassword));
  const secrets = instanceSecrets(config.ENCRYPTION_KEY);
  if (config.PROVISION_FILE) {
    await applyProvision(prisma, await loadProvision(config.PROVISION_FILE, env), secrets);
  }
  const bus = await Bus.connect({ url: config.NATS_URL, service: SERVICE, natsSeed: keys.natsSeed });
  const redis = connectRedis(config.REDIS_URL, logger);
  const nextcloud = new HttpNextcloud(options.timeouts);
  const app = await createApplication({ bus, prisma, redis, nextcloud, publicKeys, logger, secrets });
  await app.startAllMicroservices();
  await app.listen(config.GATEWAY_PORT, config.GATEWAY_HOST);
  const stop = async (): Promise<void> => {
    // Waits for the transfers in hand: everything below is needed until the last has ended.
    await app.close();
    nextcloud.close();
    await bus.close();
    redis.destroy();
    await prisma.$disconnect();
  };
  let stopped: Promise<void> | undefined;
  return { name: SERVICE, url: urlOf(config.GATEWAY_HOST, app), close: () => (stopped ??= stop()) };
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
    strategy: new BusServer({ bus, logger, version: '0.1.0', description: 'The only way to Nextcloud' }),
  });
  return app;
};

const undecodablePath = (): GatewayRefusal =>
  new GatewayRefusal(
    GATEWAY_REFUSALS.INVALID_PATH,
    'The path is not valid percent-encoded UTF-8. Encode each segment once with encodeURIComponent.',
  );

const urlOf = (host: string, app: NestFastifyApplication): string => {
  const { port } = app.getHttpServer().address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
};
