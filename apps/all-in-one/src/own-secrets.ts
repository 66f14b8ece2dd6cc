import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Environment } from '@nuqloud/contracts';
import { AppError, initKeys } from '@nuqloud/platform';
import type { AllInOneConfig } from './all-in-one.config';

const ENCRYPTION_KEY_FILE = 'encryption.key';

export interface OwnSecrets {
  readonly keysDir: string;
  /** 32 bytes, base64. */
  readonly encryptionKey: string;
}

/** Keys and encryption key: those of the environment, else made once and kept under DATA_DIR, for the owner alone. */
export const ownSecrets = async (config: AllInOneConfig): Promise<OwnSecrets> => {
  const keysDir = path.resolve(config.KEYS_DIR ?? path.join(config.DATA_DIR, 'keys'));
  await mkdir(keysDir, { recursive: true, mode: 0o700 });
  if (config.KEYS_DIR === undefined) await initKeys(keysDir);
  return { keysDir, encryptionKey: config.ENCRYPTION_KEY ?? (await keptEncryptionKey(keysDir)) };
};

const keptEncryptionKey = async (keysDir: string): Promise<string> => {
  const file = path.join(keysDir, ENCRYPTION_KEY_FILE);
  try {
    await writeFile(file, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    // Made at an earlier start: what was sealed then can only be opened with it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const kept = Environment.shape.ENCRYPTION_KEY.safeParse((await readFile(file, 'utf8')).trim());
  if (!kept.success) {
    throw new AppError(
      'KEYS.INVALID',
      `${ENCRYPTION_KEY_FILE} beside the keys is damaged; it must hold 32 bytes in base64.`,
    );
  }
  return kept.data;
};
