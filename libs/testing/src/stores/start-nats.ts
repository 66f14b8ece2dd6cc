import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { pickFreePort } from './free-port';
import type { RunningStore } from './local-store';
import { answers, foreignStore, LocalStore } from './local-store';
import { makePrivateFolder } from './private-folder';
import { findNatsServer } from './store-programs';

/** Where the configuration must make nats-server listen (on 127.0.0.1) and keep its streams. */
export interface NatsListen {
  port: number;
  monitorPort: number;
  storeDir: string;
}

export interface NatsOptions {
  /** Renders the server's configuration file. Called again for each start. */
  config: (listen: NatsListen) => string;
  /** Keeps the streams beyond `stop`; a temporary folder unless given. */
  dataDir?: string | undefined;
  /** A random free one unless given. */
  port?: number | undefined;
  /** A server that somebody else runs; nothing is started then. */
  url?: string | undefined;
}

export interface RunningNats extends RunningStore {
  readonly monitorPort: number;
}

/** Starts a nats-server with the caller's configuration. @throws StoreMissing, StoreFailed */
export async function startNats(options: NatsOptions): Promise<RunningNats> {
  if (options.url) return { ...foreignStore('NATS', options.url), monitorPort: 0 };
  const command = findNatsServer();
  const folder = makePrivateFolder('nats');
  const storeDir = path.resolve(options.dataDir ?? path.join(folder, 'jetstream'));
  mkdirSync(storeDir, { recursive: true, mode: 0o700 });
  const configFile = path.join(folder, 'nats.conf');
  const monitorPort = await pickFreePort();

  const store = await LocalStore.start({
    name: 'nats-server',
    port: options.port,
    temporaryFolders: [folder],
    prepare: (port) => {
      writeFileSync(configFile, options.config({ port, monitorPort, storeDir }), { mode: 0o600 });
      return Promise.resolve({
        command,
        args: ['-c', configFile],
        stopSignal: 'SIGTERM',
        logFile: path.join(folder, 'log'),
      });
    },
    accepts: (port) => answers(port, '', 'INFO {'),
  });
  return {
    url: `nats://127.0.0.1:${store.port}`,
    port: store.port,
    monitorPort,
    stop: () => store.stop(),
    kill: () => store.kill(),
    restart: () => store.restart(),
  };
}
