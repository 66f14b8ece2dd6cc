import { Environment } from '@nuqloud/contracts';
import type { z } from 'zod';

export const TalkIngressConfig = Environment.pick({
  APP_HOST: true,
  APP_PORT: true,
  DATABASE_URL: true,
  NATS_URL: true,
  KEYS_DIR: true,
  ENCRYPTION_KEY: true,
  PROVISION_FILE: true,
  SPOOL_DIR: true,
  DATA_DIR: true,
  LOG_LEVEL: true,
});
export type TalkIngressConfig = z.infer<typeof TalkIngressConfig>;
