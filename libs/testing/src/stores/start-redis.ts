import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

import type { RunningStore } from './local-store';
import { answers, foreignStore, LocalStore } from './local-store';
import { makePrivateFolder } from './private-folder';
import { findRedisServer } from './store-programs';

/** Each test worker gets a database of its own. */
const DATABASES = 64;

export interface RedisOptions {
  /** A random free one unless given. */
  port?: number | undefined;
  /** A server that somebody else runs; nothing is started then. */
  url?: string | undefined;
}

/**
 * Starts a redis-server with a random password. It keeps nothing on disk: what stands in Redis may vanish by design,
 * and `restart` shows what happens then. @throws StoreMissing, StoreFailed
 */
export async function startRedis(options: RedisOptions = {}): Promise<RunningStore> {
  if (options.url) return foreignStore('Redis', options.url);
  const command = findRedisServer();
  const folder = makePrivateFolder('redis');
  const password = randomBytes(16).toString('hex');
  const configFile = path.join(folder, 'redis.conf');

  const store = await LocalStore.start({
    name: 'redis-server',
    port: options.port,
    temporaryFolders: [folder],
    prepare: (port) => {
      writeFileSync(configFile, configuration(port, password, folder), { mode: 0o600 });
      return Promise.resolve({
        command,
        args: [configFile],
        stopSignal: 'SIGTERM',
        logFile: path.join(folder, 'log'),
      });
    },
    accepts: (port) => answers(port, `AUTH ${password}\r\nPING\r\n`, '+OK\r\n+PONG'),
  });
  return {
    url: `redis://:${password}@127.0.0.1:${store.port}`,
    port: store.port,
    stop: () => store.stop(),
    kill: () => store.kill(),
    restart: () => store.restart(),
  };
}

function configuration(port: number, password: string, folder: string): string {
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `databases ${DATABASES}`,
    'save ""',
    'appendonly no',
    `dir ${JSON.stringify(folder)}`,
    '',
  ].join('\n');
}
