import { startAgent } from '@nuqloud/agent';
import { startConfirmation } from '@nuqloud/confirmation';
import { startGateway } from '@nuqloud/nextcloud-gateway';
import { initInstallation } from '@nuqloud/nuqloud';
import { createLogger, startService } from '@nuqloud/platform';
import type { Closing, Logger, RunningService } from '@nuqloud/platform';
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
export const startAllInOne = (options: AllInOneOptions): Promise<RunningAllInOne> =>
  startService('all-in-one', async (closing) => ({ urls: await open(options, closing) }));

const open = async (
  { config, env, except }: AllInOneOptions,
  closing: Closing,
): Promise<RunningAllInOne['urls']> => {
  const { keysDir, encryptionKey } = await ownSecrets(config);
  await initInstallation({ databaseUrl: config.DATABASE_URL, natsUrl: config.NATS_URL, keysDir });
  const common = { ...config, KEYS_DIR: keysDir, ENCRYPTION_KEY: encryptionKey };
  const start = async <S extends RunningService>(name: string, begin: (log: Logger) => Promise<S>) => {
    if (except.has(name)) return undefined;
    const service = await begin(createLogger({ service: name, level: config.LOG_LEVEL }));
    return closing.add(service, (running) => running.close());
  };
  const gateway = await start('nextcloud-gateway', (logger) => startGateway({ config: common, env, logger }));
  const gatewayUrl = gateway?.url ?? `http://${config.GATEWAY_HOST}:${config.GATEWAY_PORT}`;
  await start('tool-files', (logger) =>
    startToolFiles({ config: { ...common, GATEWAY_URL: gatewayUrl }, logger }),
  );
  await start('confirmation', (logger) => startConfirmation({ config: common, env, logger }));
  await start('agent', (logger) => startAgent({ config: common, env, logger }));
  // The door opens last: whoever knocks is answered by a complete house.
  const ingress = await start('talk-ingress', (logger) => startTalkIngress({ config: common, env, logger }));
  return { ingress: ingress?.url, gateway: gateway?.url };
};
