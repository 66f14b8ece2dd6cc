import { Environment } from '@nuqloud/contracts';
import type { z } from 'zod';

export const AgentConfig = Environment.pick({
  DATABASE_URL: true,
  NATS_URL: true,
  REDIS_URL: true,
  KEYS_DIR: true,
  OPENAI_API_KEY: true,
  PROVISION_FILE: true,
  LOG_LEVEL: true,
}).extend({
  OPENAI_BASE_URL: Environment.shape.OPENAI_BASE_URL.unwrap(),
  OPENAI_MODEL: Environment.shape.OPENAI_MODEL.unwrap(),
});
export type AgentConfig = z.infer<typeof AgentConfig>;
