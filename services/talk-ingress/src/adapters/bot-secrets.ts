import { openSecret, sealSecret } from '@nuqloud/platform';

/** Encrypts the bots' Talk secrets for their rows. */
export interface BotSecrets {
  seal(slug: string, secret: string): string;
  /** @throws AppError SECRETS.UNREADABLE */
  open(slug: string, sealed: string): string;
}

/** A sealed secret opens only in the row of its bot. */
const contextOf = (slug: string): string => `ingress_bots/${slug}`;

export const botSecrets = (encryptionKey: string): BotSecrets => ({
  seal: (slug, secret) => sealSecret(encryptionKey, secret, contextOf(slug)),
  open: (slug, sealed) => openSecret(encryptionKey, sealed, contextOf(slug)),
});
