import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { AuditRecord, PRODUCT_VERSION } from '@nuqloud/contracts';
import { answers, createPrisma, requireDatabase, serviceDatabaseUrl } from '@nuqloud/database';
import { Bus, BusServer, requireStream } from '@nuqloud/messaging';
import {
  AuditSigner,
  loadProvision,
  nestLogger,
  readPrivateKeys,
  readPublicKeys,
  startHealthServer,
  startService,
  TokenSigner,
} from '@nuqloud/platform';
import type { Closing, Logger, RunningService } from '@nuqloud/platform';
import { applyProvision } from './apply-provision/apply-provision';
import type { ConfirmationConfig } from './confirmation.config';
import { ConfirmationModule } from './confirmation.module';
import { SweepConfirmations } from './expire/sweep-confirmations';

export interface ConfirmationOptions {
  readonly config: ConfirmationConfig;
  /** Raw environment, for `${NAME}` in the provision file only. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger;
}

const SERVICE = 'confirmation';

export const startConfirmation = (options: ConfirmationOptions): Promise<RunningService> =>
  startService(SERVICE, async (closing) => {
    await open(options, closing);
    return {};
  });

const open = async ({ config, env, logger }: ConfirmationOptions, closing: Closing): Promise<void> => {
  const [keys, publicKeys] = await Promise.all([
    readPrivateKeys(config.KEYS_DIR, SERVICE),
    readPublicKeys(config.KEYS_DIR),
  ]);
  const prisma = closing.add(
    createPrisma(serviceDatabaseUrl(config.DATABASE_URL, SERVICE, keys.databasePassword)),
    (client) => client.$disconnect(),
  );
  await requireDatabase(prisma);
  if (config.PROVISION_FILE)
    await applyProvision(prisma, (await loadProvision(config.PROVISION_FILE, env)).file);
  const bus = closing.add(
    await Bus.connect({ url: config.NATS_URL, service: SERVICE, natsSeed: keys.natsSeed }, logger),
    (connection) => connection.close(),
  );
  // Without it nothing can be asked or approved.
  await requireStream(bus, AuditRecord, { service: SERVICE });
  const module = ConfirmationModule.forRoot({
    bus,
    prisma,
    publicKeys,
    signer: new TokenSigner(SERVICE, keys.signing),
    auditSigner: new AuditSigner(keys.signing),
    auditSecret: keys.signing.d,
    logger,
    ttlMs: config.CONFIRMATION_TTL_S * 1_000,
  });
  const app = closing.add(
    await NestFactory.createMicroservice<MicroserviceOptions>(module, {
      strategy: new BusServer({
        bus,
        logger,
        version: PRODUCT_VERSION,
        description: 'Who approved what',
      }),
      logger: nestLogger(logger),
      abortOnError: false,
    }),
    (application) => application.close(),
  );
  const sweeping = closing.add(app.get(SweepConfirmations), (jobs) => jobs.stop());
  await app.listen();
  sweeping.start();
  if (config.METRICS_PORT !== undefined) {
    const isReady = async () => bus.ready && (await answers(prisma));
    closing.add(await startHealthServer(config.METRICS_PORT, isReady), (health) => health.close());
  }
};
