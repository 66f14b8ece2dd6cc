import { openSecret, sealSecret } from '@nuqloud/platform';

/** Encrypts the AppAPI secrets of instances for the database, each for its own row. */
export interface InstanceSecrets {
  seal(instance: string, secret: string): string;
  /** @throws AppError SECRETS.UNREADABLE */
  open(instance: string, sealed: string): string;
}

/** @param encryptionKey 32 bytes in base64 */
export const instanceSecrets = (encryptionKey: string): InstanceSecrets => ({
  seal: (instance, secret) => sealSecret(encryptionKey, secret, rowOf(instance)),
  open: (instance, sealed) => openSecret(encryptionKey, sealed, rowOf(instance)),
});

const rowOf = (instance: string): string => `gateway_instances/${instance}`;
