import { chmod, copyFile, mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { SERVICES } from '@nuqloud/contracts';

/**
 * Gives each service a folder with its own keys and what everybody may know, so that no process needs to see the folder
 * with everybody's: `folder/<service>` becomes that service's KEYS_DIR, `folder/nats` the server's.
 */
export const handOutKeys = async (keysDir: string, folder: string): Promise<void> => {
  for (const service of SERVICES) {
    await copy(keysDir, path.join(folder, service), `${service}.json`, 0o600);
    await copy(keysDir, path.join(folder, service), 'public.json', 0o644);
  }
  await copy(keysDir, path.join(folder, 'nats'), 'nats.conf', 0o644);
};

const copy = async (from: string, to: string, name: string, mode: number): Promise<void> => {
  await mkdir(to, { recursive: true, mode: 0o755 });
  const draft = path.join(to, `${name}.new`);
  await copyFile(path.join(from, name), draft);
  await chmod(draft, mode);
  await rename(draft, path.join(to, name));
};
