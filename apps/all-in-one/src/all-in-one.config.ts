import { Environment, WHOLE_FALLBACK } from '@nuqloud/contracts';
import type { z } from 'zod';

/** Everything the services need; what can be made here is optional. */
export const AllInOneConfig = Environment.pick({
  DATABASE_URL: true,
  NATS_URL: true,
  REDIS_URL: true,
  DATA_DIR: true,
  SPOOL_DIR: true,
  APP_HOST: true,
  APP_PORT: true,
  GATEWAY_HOST: true,
  GATEWAY_PORT: true,
  OPENAI_API_KEY: true,
  OPENAI_FALLBACK_BASE_URL: true,
  OPENAI_FALLBACK_API_KEY: true,
  OPENAI_FALLBACK_MODEL: true,
  CONFIRMATION_TTL_S: true,
  PROVISION_FILE: true,
  LOG_LEVEL: true,
})
  .extend({
    KEYS_DIR: Environment.shape.KEYS_DIR.optional(),
    ENCRYPTION_KEY: Environment.shape.ENCRYPTION_KEY.optional(),
    OPENAI_BASE_URL: Environment.shape.OPENAI_BASE_URL.unwrap(),
    OPENAI_MODEL: Environment.shape.OPENAI_MODEL.unwrap(),
  })
  .refine(...WHOLE_FALLBACK);
export type AllInOneConfig = z.infer<typeof AllInOneConfig>;
