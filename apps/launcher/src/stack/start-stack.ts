import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Closing } from '@nuqloud/platform';
import { ProductProcess, ROOT } from '../product/product-process';
import { startLocalStores } from '../stores/start-local-stores';

/**
 * The product alone, against the Nextcloud and the model that the environment names. Stores the
 * environment does not name are started here, with their data kept under DATA_DIR.
 */
export const startStack = async (
  env: Readonly<Record<string, string | undefined>>,
  dataDir: string,
  say: (line: string) => void,
  closing: Closing,
): Promise<ProductProcess> => {
  const folder = path.resolve(dataDir, 'stack');
  mkdirSync(folder, { recursive: true });
  const given = { nats: env.NATS_URL, redis: env.REDIS_URL, postgres: env.DATABASE_URL };
  const stores = await startLocalStores(folder, given, say, closing);
  const set = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const product = closing.add(
    ProductProcess.start({
      name: 'NuQloud-AI',
      main: 'apps/all-in-one/dist/main.js',
      env: {
        PROVISION_FILE: path.join(ROOT, 'apps/launcher/provision/stack.yaml'),
        ...(env.KEYS_DIR ? {} : { KEYS_DIR: stores.keysDir }),
        APP_ID: 'nuqloud_ai',
        APP_VERSION: '0.1.0',
        DATA_DIR: folder,
        ...Object.fromEntries(set),
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
