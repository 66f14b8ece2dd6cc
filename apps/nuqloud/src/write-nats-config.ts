import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BUS_ACCESS, STREAMS } from '@nuqloud/contracts';
import { serverConfig } from '@nuqloud/messaging';
import type { ServerConfigOptions } from '@nuqloud/messaging';
import { readPublicKeys } from '@nuqloud/platform';

export type NatsListen = Pick<ServerConfigOptions, 'host' | 'port' | 'monitor' | 'storeDir'>;

/**
 * Writes `KEYS_DIR/nats.conf`: who may log into the bus and what each may do there. It holds public keys only.
 * @returns the file
 */
export const writeNatsConfig = async (keysDir: string, listen: NatsListen): Promise<string> => {
  const keys = await readPublicKeys(keysDir);
  const file = path.join(keysDir, 'nats.conf');
  const draft = `${file}.new`;
  await writeFile(draft, serverConfig({ keys, access: BUS_ACCESS, streams: STREAMS, ...listen }), {
    mode: 0o644,
  });
  await rename(draft, file);
  return file;
};
