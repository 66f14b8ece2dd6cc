import { TalkSecret } from '@nuqloud/contracts';
import type { Provision, RowSecrets } from '@nuqloud/platform';
import type { AppStore, StoredApp } from '../ports/app-store';
import type { BotStore, StoredBot } from '../ports/bot-store';

/**
 * Writes the bots of the provision file. Applying it twice changes nothing; bots that it does not name stay as
 * they are.
 */
export const applyProvision = async (
  store: BotStore,
  apps: AppStore,
  provision: Pick<Provision, 'file' | 'secret'>,
  secrets: RowSecrets,
): Promise<void> => {
  const { instances, bots } = provision.file;
  const stored = new Map((await store.all()).map((bot) => [bot.slug, bot]));
  for (const { id, url } of instances) {
    for (const [index, { slug, instance, talkSecret }] of bots.entries()) {
      if (instance !== id) continue;
      const before = stored.get(slug);
      const secret =
        talkSecret === undefined ? null : provision.secret(['bots', index, 'talkSecret'], TalkSecret);
      const sealedSecret = secret === null ? null : secrets.keepOrSeal(slug, secret, before?.sealedSecret);
      const wanted = { slug, instance, instanceUrl: url, sealedSecret };
      if (!isSame(wanted, before)) await store.save(wanted);
    }
  }
  await applyApps(apps, provision.file);
};

/** This installation as an app of each instance that the file names; with its bot, if it has one. */
const applyApps = async (store: AppStore, { instances, bots }: Provision['file']): Promise<void> => {
  const stored = new Map((await store.all()).map((app) => [app.instance, app]));
  for (const { id: instance, appApi } of instances) {
    const named = bots.find((one) => one.instance === instance && one.slug === appApi?.bot);
    const bot = named ? { slug: named.slug, name: named.name } : null;
    const before = stored.get(instance);
    if (!appApi && before) await store.remove(instance);
    if (appApi && (!before || !isSameBot(bot, before.bot))) await store.configure({ instance, bot });
  }
};

const isSameBot = (wanted: StoredApp['bot'], stored: StoredApp['bot']): boolean =>
  wanted?.slug === stored?.slug && wanted?.name === stored?.name;

const isSame = (wanted: StoredBot, stored: StoredBot | undefined): boolean =>
  stored !== undefined &&
  stored.instance === wanted.instance &&
  stored.instanceUrl === wanted.instanceUrl &&
  stored.sealedSecret === wanted.sealedSecret;
