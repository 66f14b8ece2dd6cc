import path from 'node:path';
import { BUS_ACCESS, STREAMS } from '@nuqloud/contracts';
import { serverConfig } from '@nuqloud/messaging';
import { initKeys, readPublicKeys } from '@nuqloud/platform';
import type { Closing } from '@nuqloud/platform';
import { startNats, startPostgres, startRedis } from '@nuqloud/testing';

/** What is there already: stores that somebody else runs and keys are used as they are, the others are made here. */
export interface GivenStores {
  readonly nats?: string | undefined;
  readonly redis?: string | undefined;
  readonly postgres?: string | undefined;
  readonly keysDir?: string | undefined;
}

export interface LocalStores {
  readonly natsUrl: string;
  readonly redisUrl: string;
  /** The owner's login to the database `nuqloud`. */
  readonly databaseUrl: string;
  readonly keysDir: string;
}

const DATABASE = 'nuqloud';

/** NATS (with the permissions of these keys), Redis and PostgreSQL, with their data under `dataDir`. */
export const startLocalStores = async (
  dataDir: string,
  given: GivenStores,
  say: (line: string) => void,
  closing: Closing,
): Promise<LocalStores> => {
  const keysDir = path.resolve(given.keysDir ?? path.join(dataDir, 'keys'));
  if (given.keysDir === undefined) await initKeys(keysDir);
  const keys = await readPublicKeys(keysDir);
  const [nats, redis, postgres] = await Promise.all([
    startNats({
      url: given.nats,
      dataDir: path.join(dataDir, 'nats'),
      config: ({ port, monitorPort, storeDir }) =>
        serverConfig({
          keys,
          access: BUS_ACCESS,
          streams: STREAMS,
          host: '127.0.0.1',
          port,
          monitor: { host: '127.0.0.1', port: monitorPort },
          storeDir,
        }),
    }).then((store) => closing.add(store, (running) => running.stop())),
    startRedis({ url: given.redis }).then((store) => closing.add(store, (running) => running.stop())),
    startPostgres({ url: given.postgres, dataDir: path.join(dataDir, 'postgres'), durable: true }).then(
      (store) => closing.add(store, (running) => running.stop()),
    ),
  ]);
  if (postgres.notice) say(postgres.notice);
  const databaseUrl = given.postgres ?? (await postgres.createDatabase(DATABASE));
  return { natsUrl: nats.url, redisUrl: redis.url, databaseUrl, keysDir };
};
