import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../generated/client';

export interface PrismaOptions {
  /** Most connections this process keeps to the database; 5 unless given. */
  poolSize?: number;
}

const POOL_SIZE = 5;

/** A query waits this long for a connection before it fails, so that a database that is away is noticed. */
const CONNECTION_TIMEOUT_MS = 5_000;

/**
 * The database as one service sees it. Connects with the first query; `$disconnect()` closes the pool.
 * Neither queries nor their values are logged.
 * @param url with the role and password of the service, see `serviceDatabaseUrl`
 */
export const createPrisma = (url: string, options: PrismaOptions = {}): PrismaClient =>
  new PrismaClient({
    adapter: new PrismaPg({
      connectionString: url,
      max: options.poolSize ?? POOL_SIZE,
      connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    }),
    log: [],
    // The other formats quote the arguments of the failed call, and with them what people wrote.
    errorFormat: 'minimal',
  });
