import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { CORE_PROVIDERS, PRODUCT_VERSION } from '@nuqloud/contracts';
import { answers, connectRedis, createPrisma, requireDatabase, serviceDatabaseUrl } from '@nuqloud/database';
import { Bus, BusServer } from '@nuqloud/messaging';
import {
  loadProvision,
  nestLogger,
  readPrivateKeys,
  readPublicKeys,
  startHealthServer,
  startService,
  TokenSigner,
  TokenVerifier,
} from '@nuqloud/platform';
import type { Closing, Logger, RunningService } from '@nuqloud/platform';
import type { AgentConfig } from './agent.config';
import type { OpenAiOptions } from './adapters/openai/openai-model';
import { AgentModule } from './agent.module';
import { applyProvision } from './apply-provision/apply-provision';
import { ForgetOldConversations } from './forget/forget-old-conversations';
import { ToolRegistry } from './registry/tool-registry';
import { RoomDispatcher } from './work-rooms/room-dispatcher';

export interface AgentOptions {
  readonly config: AgentConfig;
  /** Raw environment, for `${NAME}` in the provision file only. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger;
  /** Milliseconds after which a turn that still goes on says so once. */
  readonly progressAfterMs?: number;
  /** Milliseconds that a model may take for one answer. */
  readonly modelTimeoutMs?: number;
}

const SERVICE = 'agent';
const PROGRESS_AFTER_MS = 20_000;

export const startAgent = (options: AgentOptions): Promise<RunningService> =>
  startService(SERVICE, async (closing) => {
    await open(options, closing);
    return {};
  });

const open = async (
  { config, env, logger, progressAfterMs = PROGRESS_AFTER_MS, modelTimeoutMs }: AgentOptions,
  closing: Closing,
): Promise<void> => {
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
  const redis = closing.add(connectRedis(config.REDIS_URL, logger), (client) => client.destroy());
  const bus = closing.add(
    await Bus.connect({ url: config.NATS_URL, service: SERVICE, natsSeed: keys.natsSeed }, logger),
    (connection) => connection.close(),
  );
  const module = AgentModule.forRoot({
    bus,
    prisma,
    redis,
    logger,
    signer: new TokenSigner(SERVICE, keys.signing),
    tokens: new TokenVerifier(publicKeys),
    model: modelOptions(config, modelTimeoutMs),
    progressAfterMs,
    coreProviders: new Set(
      Object.entries(CORE_PROVIDERS).flatMap(([service, id]) => (service in publicKeys.services ? [id] : [])),
    ),
  });
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(module, {
    strategy: new BusServer({
      bus,
      logger,
      version: PRODUCT_VERSION,
      description: 'Conversation, tools and the loop',
    }),
    logger: nestLogger(logger),
    abortOnError: false,
  });
  const dispatcher = closing.add(app.get(RoomDispatcher), (rooms) => rooms.stop());
  // Events first: what is taken out of the stream now waits in the inbox for whoever comes next.
  closing.add(app, (application) => application.close());
  const forgetting = closing.add(app.get(ForgetOldConversations), (jobs) => jobs.stop());
  await app.listen();
  dispatcher.start();
  forgetting.start();
  void app.get(ToolRegistry).warmUp();
  if (config.METRICS_PORT !== undefined) {
    const isReady = async () => bus.ready && (await answers(prisma));
    closing.add(await startHealthServer(config.METRICS_PORT, isReady), (health) => health.close());
  }
};

const modelOptions = (config: AgentConfig, timeoutMs: number | undefined): OpenAiOptions => ({
  baseUrl: config.OPENAI_BASE_URL,
  apiKey: config.OPENAI_API_KEY,
  defaultModel: config.OPENAI_MODEL,
  timeoutMs,
  fallback:
    config.OPENAI_FALLBACK_BASE_URL !== undefined && config.OPENAI_FALLBACK_MODEL !== undefined
      ? {
          baseUrl: config.OPENAI_FALLBACK_BASE_URL,
          apiKey: config.OPENAI_FALLBACK_API_KEY ?? '',
          model: config.OPENAI_FALLBACK_MODEL,
        }
      : undefined,
});
