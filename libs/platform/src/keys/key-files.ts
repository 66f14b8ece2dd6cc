import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { PublicKeyFile as PublicKeys, ServiceName } from '@nuqloud/contracts';
import { PrivateKeyFile, PublicKeyFile, SigningKey } from '@nuqloud/contracts';
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { createUser } from 'nkeys.js';
import { AppError } from '../errors/app-error';

export const PUBLIC_KEYS_FILE = 'public.json';

/** Makes the keys of one service or operator. */
export const generateKeys = async (service: string): Promise<PrivateKeyFile> => {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const jwk = await exportJWK(privateKey);
  const signing = SigningKey.parse({ ...jwk, kid: (await calculateJwkThumbprint(jwk)).slice(0, 16) });
  return {
    version: 1,
    service,
    signing,
    natsSeed: Buffer.from(createUser().getSeed()).toString('ascii'),
    databasePassword: randomBytes(24).toString('base64url'),
  };
};

/** Reads `KEYS_DIR/<service>.json`; a service reads only its own. */
export const readPrivateKeys = async (keysDir: string, service: string): Promise<PrivateKeyFile> =>
  readKeyFile(path.join(keysDir, `${service}.json`), PrivateKeyFile);

export const readPublicKeys = async (keysDir: string): Promise<PublicKeys> =>
  readKeyFile(path.join(keysDir, PUBLIC_KEYS_FILE), PublicKeyFile);

export const writeKeyFile = async (file: string, content: unknown, mode: number): Promise<void> => {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.new`;
  await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode });
  await rename(draft, file);
};

const readKeyFile = async <T>(file: string, schema: { parse(value: unknown): T }): Promise<T> => {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw new AppError(
      'KEYS.MISSING',
      `The key file ${path.basename(file)} cannot be read in KEYS_DIR; \`npm run nuqloud -- keys init\` makes it.`,
      { cause },
    );
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    // The cause is left out on purpose: it would quote key material.
    throw new AppError('KEYS.INVALID', `The key file ${path.basename(file)} in KEYS_DIR is damaged.`);
  }
};

/** Services and operators share one naming scheme for their key files. */
export type KeyOwner = ServiceName | 'provisioner' | 'monitor';
