import { startPostgres } from '../stores/start-postgres';
import { startRedis } from '../stores/start-redis';
import { POSTGRES_VARIABLE, REDIS_VARIABLE, rememberSharedStores } from './shared-stores';

/** jest's `globalSetup`: one PostgreSQL and one Redis for all test files; those of the environment where it names them. */
export default async function startStores(): Promise<void> {
  const redis = await startRedis({ url: process.env.REDIS_URL });
  const postgres = await startPostgres({ url: process.env.DATABASE_URL }).catch(async (error: unknown) => {
    await redis.stop();
    throw error;
  });
  rememberSharedStores({ postgres, redis });
  process.env[POSTGRES_VARIABLE] = postgres.url;
  process.env[REDIS_VARIABLE] = redis.url;
}
