import { Environment } from '@nuqloud/contracts';
import type { z } from 'zod';

export const ConfirmationConfig = Environment.pick({
  DATABASE_URL: true,
  NATS_URL: true,
  KEYS_DIR: true,
  CONFIRMATION_TTL_S: true,
  PROVISION_FILE: true,
  METRICS_PORT: true,
  LOG_LEVEL: true,
});
export type ConfirmationConfig = z.infer<typeof ConfirmationConfig>;
