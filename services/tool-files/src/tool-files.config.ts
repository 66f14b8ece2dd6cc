import { Environment } from '@nuqloud/contracts';
import type { z } from 'zod';

export const ToolFilesConfig = Environment.pick({
  NATS_URL: true,
  KEYS_DIR: true,
  GATEWAY_URL: true,
  METRICS_PORT: true,
  LOG_LEVEL: true,
});
export type ToolFilesConfig = z.infer<typeof ToolFilesConfig>;
