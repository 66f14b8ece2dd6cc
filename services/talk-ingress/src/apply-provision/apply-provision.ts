import { TalkSecret } from '@nuqloud/contracts';
import type { Provision, RowSecrets } from '@nuqloud/platform';
import type { BotStore, StoredBot } from '../ports/bot-store';

/**
 * Writes the bots of the provision file. Applying it twice changes nothing; bots that it does not name stay as
 * they are.
 */
export const applyProvision = async (
  store: BotStore,
  provision: Pick<Provision, 'file' | 'secret'>,
  secrets: RowSecrets,
): Promise<void> => {
  const { instances, bots } = provision.file;
  const stored = new Map((await store.all()).map((bot) => [bot.slug, bot]));
  for (const { id, url } of instances) {
    for (const [index, { slug, instance }] of bots.entries()) {
      if (instance !== id) continue;
      const secret = provision.secret(['bots', index, 'talkSecret'], TalkSecret);
      const before = stored.get(slug);
      const sealedSecret = secrets.keepOrSeal(slug, secret, before?.sealedSecret);
      const wanted = { slug, instance, instanceUrl: url, sealedSecret };
      if (!isSame(wanted, before)) await store.save(wanted);
    }
  }
};

const isSame = (wanted: StoredBot, stored: StoredBot | undefined): boolean =>
  stored !== undefined &&
  stored.instance === wanted.instance &&
  stored.instanceUrl === wanted.instanceUrl &&
  stored.sealedSecret === wanted.sealedSecret;
