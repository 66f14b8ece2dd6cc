import { sharedStores } from './shared-stores';

/** jest's `globalTeardown`. */
export default async function stopStores(): Promise<void> {
  const stores = sharedStores();
  await Promise.all([stores?.postgres.stop(), stores?.redis.stop()]);
}
