import { TalkSecret } from '@nuqloud/contracts';
import type { Provision } from '@nuqloud/platform';
import type { BotSecrets } from '../adapters/bot-secrets';
import { normaliseBaseUrl } from '../domain/base-url';
import type { BotStore, StoredBot } from '../ports/bot-store';

/**
 * Writes the bots of the provision file. Applying it twice changes nothing; bots that it does not name stay as
 * they are.
 */
export const applyProvision = async (
  store: BotStore,
  provision: Pick<Provision, 'file' | 'secret'>,
  secrets: BotSecrets,
): Promise<void> => {
  const { instances, bots } = provision.file;
  const stored = new Map((await store.all()).map((bot) => [bot.slug, bot]));
  for (const { id, url } of instances) {
    for (const [index, { slug, instance }] of bots.entries()) {
      if (instance !== id) continue;
      const secret = provision.secret(['bots', index, 'talkSecret'], TalkSecret);
      const wanted = { slug, instance, instanceUrl: normaliseBaseUrl(url) };
      if (isUpToDate(stored.get(slug), { ...wanted, secret }, secrets)) continue;
      await store.save({ ...wanted, sealedSecret: secrets.seal(slug, secret) });
    }
  }
};

/** Sealing gives another text each time, so what is stored is opened and compared. */
const isUpToDate = (
  stored: StoredBot | undefined,
  wanted: Omit<StoredBot, 'sealedSecret'> & { readonly secret: string },
  secrets: BotSecrets,
): boolean => {
  if (stored?.instance !== wanted.instance || stored.instanceUrl !== wanted.instanceUrl) return false;
  try {
    return secrets.open(stored.slug, stored.sealedSecret) === wanted.secret;
  } catch {
    return false; // sealed with a former ENCRYPTION_KEY: the file has the secret, so nothing is lost
  }
};
