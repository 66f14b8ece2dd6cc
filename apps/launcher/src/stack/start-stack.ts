import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Closing } from '@nuqloud/platform';
import { ProductProcess } from '../product/product-process';
import { startLocalStores } from '../stores/start-local-stores';
import { readStackVariables } from './stack.config';
import type { Variables } from './stack.config';

/**
 * The product alone, against the Nextcloud and the model that the environment names. Stores the
 * environment does not name are started here, with their data kept under DATA_DIR.
 * @throws ConfigurationError before anything is started
 */
export const startStack = async (
  env: Variables,
  dataDir: string,
  say: (line: string) => void,
  closing: Closing,
): Promise<ProductProcess> => {
  const variables = readStackVariables(env);
  const folder = path.resolve(dataDir, 'stack');
  mkdirSync(folder, { recursive: true });
  const given = {
    nats: variables.NATS_URL,
    redis: variables.REDIS_URL,
    postgres: variables.DATABASE_URL,
    keysDir: variables.KEYS_DIR,
  };
  const stores = await startLocalStores(folder, given, say, closing);
  const product = closing.add(
    ProductProcess.start({
      name: 'NuQloud-AI',
      main: 'apps/all-in-one/dist/main.js',
      env: {
        ...variables,
        DATA_DIR: folder,
        KEYS_DIR: stores.keysDir,
        NATS_URL: stores.natsUrl,
        REDIS_URL: stores.redisUrl,
        DATABASE_URL: stores.databaseUrl,
      },
    }),
    (running) => running.stop(),
  );
  await product.ready();
  return product;
};
