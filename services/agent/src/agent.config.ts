import { Environment, WHOLE_FALLBACK } from '@nuqloud/contracts';
import type { z } from 'zod';

export const AgentConfig = Environment.pick({
  DATABASE_URL: true,
  NATS_URL: true,
  REDIS_URL: true,
  KEYS_DIR: true,
  OPENAI_API_KEY: true,
  OPENAI_FALLBACK_BASE_URL: true,
  OPENAI_FALLBACK_API_KEY: true,
  OPENAI_FALLBACK_MODEL: true,
  PROVISION_FILE: true,
  METRICS_PORT: true,
  LOG_LEVEL: true,
})
  .extend({
    OPENAI_BASE_URL: Environment.shape.OPENAI_BASE_URL.unwrap(),
    OPENAI_MODEL: Environment.shape.OPENAI_MODEL.unwrap(),
  })
  .refine(...WHOLE_FALLBACK);
export type AgentConfig = z.infer<typeof AgentConfig>;
