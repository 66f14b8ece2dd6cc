import { Environment } from '@nuqloud/contracts';
import type { z } from 'zod';

export const GatewayConfig = Environment.pick({
  DATABASE_URL: true,
  NATS_URL: true,
  REDIS_URL: true,
  KEYS_DIR: true,
  GATEWAY_HOST: true,
  GATEWAY_PORT: true,
  ENCRYPTION_KEY: true,
  PROVISION_FILE: true,
  LOG_LEVEL: true,
});
export type GatewayConfig = z.infer<typeof GatewayConfig>;
