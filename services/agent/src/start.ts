import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { CORE_PROVIDERS } from '@nuqloud/contracts';
import { connectRedis, createPrisma, serviceDatabaseUrl } from '@nuqloud/database';
import { Bus, BusServer } from '@nuqloud/messaging';
import { loadProvision, nestLogger, readPrivateKeys, readPublicKeys } from '@nuqloud/platform';
import type { Logger, RunningService } from '@nuqloud/platform';
import type { AgentConfig } from './agent.config';
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
}

const SERVICE = 'agent';

export const startAgent = async ({ config, env, logger }: AgentOptions): Promise<RunningService> => {
  const [keys, publicKeys] = await Promise.all([
    readPrivateKeys(config.KEYS_DIR, SERVICE),
    readPublicKeys(config.KEYS_DIR),
  ]);
  const prisma = createPrisma(serviceDatabaseUrl(config.DATABASE_URL, SERVICE, keys.databasePassword));
  if (config.PROVISION_FILE)
    await applyProvision(prisma, (await loadProvision(config.PROVISION_FILE, env)).file);
  const bus = await Bus.connect({ url: config.NATS_URL, service: SERVICE, natsSeed: keys.natsSeed });
  const redis = connectRedis(config.REDIS_URL, logger);
  const module = AgentModule.forRoot({
    bus,
    prisma,
    redis,
    logger,
    model: {
      baseUrl: config.OPENAI_BASE_URL,
      apiKey: config.OPENAI_API_KEY,
      defaultModel: config.OPENAI_MODEL,
    },
    coreProviders: new Set(
      Object.entries(CORE_PROVIDERS).flatMap(([service, id]) => (service in publicKeys.services ? [id] : [])),
    ),
  });
  const strategy = new BusServer({
    bus,
    logger,
    version: '0.1.0',
    description: 'Conversation, tools and the loop',
  });
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(module, {
    strategy,
    logger: nestLogger(logger),
  });
  await app.listen();
  const dispatcher = app.get(RoomDispatcher);
  const forgetting = app.get(ForgetOldConversations);
  dispatcher.start();
  forgetting.start();
  void app.get(ToolRegistry).warmUp();
  return {
    name: SERVICE,
    close: async () => {
      forgetting.stop();
      // Events first: what is taken out of the stream now waits in the inbox for whoever comes next.
      await app.close();
      await dispatcher.stop();
      await bus.close();
      redis.destroy();
      await prisma.$disconnect();
    },
  };
};
