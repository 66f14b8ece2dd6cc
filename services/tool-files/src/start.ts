import { CORE_PROVIDERS, PRODUCT_VERSION } from '@nuqloud/contracts';
import { Bus } from '@nuqloud/messaging';
import {
  readPrivateKeys,
  readPublicKeys,
  startHealthServer,
  startService,
  TokenSigner,
} from '@nuqloud/platform';
import type { Logger, RunningService } from '@nuqloud/platform';
import { startToolProvider } from '@nuqloud/tool-sdk';
import { createFilesCall } from './call/create-files-call';
import type { ToolFilesConfig } from './tool-files.config';
import { FILES_TOOLS } from './tools';

export interface ToolFilesOptions {
  readonly config: ToolFilesConfig;
  readonly logger: Logger;
}

const SERVICE = 'tool-files';

/** Offers the tools for files. It needs the bus and the gateway, and keeps nothing. */
export const startToolFiles = ({ config, logger }: ToolFilesOptions): Promise<RunningService> =>
  startService(SERVICE, async (closing) => {
    const [keys, publicKeys] = await Promise.all([
      readPrivateKeys(config.KEYS_DIR, SERVICE),
      readPublicKeys(config.KEYS_DIR),
    ]);
    const bus = closing.add(
      await Bus.connect({ url: config.NATS_URL, service: SERVICE, natsSeed: keys.natsSeed }, logger),
      (connection) => connection.close(),
    );
    const signer = new TokenSigner(SERVICE, keys.signing);
    const provider = await startToolProvider({
      id: CORE_PROVIDERS[SERVICE],
      service: SERVICE,
      version: PRODUCT_VERSION,
      description: "Works in people's Nextcloud files",
      tools: FILES_TOOLS,
      bus,
      publicKeys,
      createCall: createFilesCall(config.GATEWAY_URL, signer),
      approvals: { signer, identify: (call) => call.resolve() },
      logger,
    });
    closing.add(provider, (running) => running.close());
    if (config.METRICS_PORT !== undefined) {
      const health = await startHealthServer(config.METRICS_PORT, () => bus.ready);
      closing.add(health, (server) => server.close());
    }
    return {};
  });
