import { startAgent } from '@nuqloud/agent';
import { startGateway } from '@nuqloud/nextcloud-gateway';
import { initInstallation } from '@nuqloud/nuqloud';
import { createLogger } from '@nuqloud/platform';
import type { Logger, RunningService } from '@nuqloud/platform';
import { startTalkIngress } from '@nuqloud/talk-ingress';
import { startToolFiles } from '@nuqloud/tool-files';
import type { AllInOneConfig } from './all-in-one.config';
import { ownSecrets } from './own-secrets';

export interface AllInOneOptions {
  readonly config: AllInOneConfig;
  /** Raw environment, for `${NAME}` in the provision file only. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Services that run elsewhere. */
  readonly except: ReadonlySet<string>;
}

export interface RunningAllInOne extends RunningService {
  /** Where Talk's webhooks go, and where tool services find the gateway. */
  readonly urls: { readonly ingress: string | undefined; readonly gateway: string | undefined };
}

/**
 * Every service in one process, each with the bus connection and database role it has when it
 * runs apart. Prepares the installation first, which the separate services leave to `nuqloud init`.
 */
export const startAllInOne = async ({ config, env, except }: AllInOneOptions): Promise<RunningAllInOne> => {
  const { keysDir, encryptionKey } = await ownSecrets(config);
  await initInstallation({ databaseUrl: config.DATABASE_URL, natsUrl: config.NATS_URL, keysDir });
  const common = { ...config, KEYS_DIR: keysDir, ENCRYPTION_KEY: encryptionKey };
  const running: RunningService[] = [];
  const start = async <S extends RunningService>(name: string, begin: (log: Logger) => Promise<S>) => {
    if (except.has(name)) return undefined;
    const service = await begin(createLogger({ service: name, level: config.LOG_LEVEL }));
    running.push(service);
    return service;
  };
  try {
    const gateway = await start('nextcloud-gateway', (log) =>
      startGateway({ config: common, env, logger: log }),
    );
    const gatewayUrl = gateway?.url ?? `http://${config.GATEWAY_HOST}:${config.GATEWAY_PORT}`;
    await start('tool-files', (log) =>
      startToolFiles({ config: { ...common, GATEWAY_URL: gatewayUrl }, logger: log }),
    );
    await start('agent', (log) => startAgent({ config: common, env, logger: log }));
    // The door opens last: whoever knocks is answered by a complete house.
    const ingress = await start('talk-ingress', (log) =>
      startTalkIngress({ config: common, env, logger: log }),
    );
    return {
      name: 'all-in-one',
      urls: { ingress: ingress?.url, gateway: gateway?.url },
      close: () => closeAll(running),
    };
  } catch (error) {
    await closeAll(running);
    throw error;
  }
};

/** In reverse order of start, so that nobody loses a neighbour that is still needed. */
const closeAll = async (running: RunningService[]): Promise<void> => {
  for (const service of running.splice(0).reverse()) await service.close();
};
