import { access } from 'node:fs/promises';
import path from 'node:path';
import type { PrivateKeyFile, PublicKeyFile } from '@nuqloud/contracts';
import { OPERATORS, SERVICES } from '@nuqloud/contracts';
import { fromSeed } from 'nkeys.js';
import { generateKeys, PUBLIC_KEYS_FILE, readPrivateKeys, writeKeyFile } from './key-files';
import type { KeyOwner } from './key-files';

export const KEY_OWNERS: readonly KeyOwner[] = [...SERVICES, ...OPERATORS];

/**
 * Makes what is missing in KEYS_DIR and leaves what is there, so that running it
 * again after an upgrade only adds the keys of new services.
 * @returns the owners whose keys were made now
 */
export const initKeys = async (
  keysDir: string,
  owners: readonly string[] = KEY_OWNERS,
): Promise<string[]> => {
  const made: string[] = [];
  const all: PrivateKeyFile[] = [];
  for (const owner of owners) {
    const file = path.join(keysDir, `${owner}.json`);
    if (!(await exists(file))) {
      await writeKeyFile(file, await generateKeys(owner), 0o600);
      made.push(owner);
    }
    all.push(await readPrivateKeys(keysDir, owner));
  }
  await writeKeyFile(path.join(keysDir, PUBLIC_KEYS_FILE), publicPart(all), 0o644);
  return made;
};

const publicPart = (all: readonly PrivateKeyFile[]): PublicKeyFile => ({
  version: 1,
  services: Object.fromEntries(
    all.map(({ service, signing, natsSeed }) => [
      service,
      {
        signing: [{ kid: signing.kid, kty: signing.kty, crv: signing.crv, x: signing.x }],
        nats: fromSeed(Buffer.from(natsSeed)).getPublicKey(),
      },
    ]),
  ),
});

const exists = async (file: string): Promise<boolean> => {
  try {
    await access(file);
    return true;
  } catch {
    return false; // absent, or not ours to read: writing it will say which
  }
};
