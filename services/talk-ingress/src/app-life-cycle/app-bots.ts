import { describeError } from '@nuqloud/platform';
import type { Logger, RowSecrets } from '@nuqloud/platform';
import type { Bot } from '../bots/bot-directory';
import type { AppGateway } from '../ports/app-gateway';
import type { AppStore, StoredApp } from '../ports/app-store';

/** What moderators read beside the bot's name in Talk. */
const DESCRIPTION = 'Works in your Nextcloud when you ask for it in words, with your own rights.';

export interface Registration {
  readonly secret: string;
  /** The secret is another than the one that was stored. */
  readonly isNew: boolean;
}

/** The Talk bots that are registered through AppAPI, and what they sign with. */
export class AppBots {
  constructor(
    private readonly gateway: Pick<AppGateway, 'registerBot' | 'unregisterBot'>,
    private readonly store: AppStore,
    private readonly secrets: RowSecrets,
    private readonly logger: Logger,
  ) {}

  /**
   * Registers the bot of the instance and keeps its secret. Where it is registered already nothing changes, unless the
   * secret does.
   * @returns undefined where the instance has no such bot
   * @throws AppError of the gateway; what the store throws
   */
  async register(instance: string): Promise<Registration | undefined> {
    const app = await this.store.find(instance);
    if (!app?.bot) return undefined;
    const description = DESCRIPTION;
    const secret = await this.gateway.registerBot(instance, { name: app.bot.name, description });
    const isNew = this.storedSecret(app) !== secret;
    if (isNew) await this.store.keepSecret(instance, this.secrets.seal(instance, secret));
    this.logger.info({ event: 'app-bot.registered', instance, bot: app.bot.slug, isNew });
    return { secret, isNew };
  }

  /** Forgets the secret first: whatever fails then, the bot says nothing more. @throws AppError of the gateway */
  async unregister(instance: string): Promise<void> {
    await this.forget(instance);
    if ((await this.store.find(instance))?.bot) await this.gateway.unregisterBot(instance);
    this.logger.info({ event: 'app-bot.unregistered', instance });
  }

  /** The app is not enabled there (any more). */
  async forget(instance: string): Promise<void> {
    await this.store.keepSecret(instance, null);
  }

  /** Undefined where there is none, or it cannot be opened: registering again gives it back. */
  storedSecret({ instance, sealedSecret }: Pick<StoredApp, 'instance' | 'sealedSecret'>): string | undefined {
    if (sealedSecret === null) return undefined;
    try {
      return this.secrets.open(instance, sealedSecret);
    } catch (error) {
      this.logger.warn({ event: 'app-bot.secret-unreadable', instance, ...describeError(error) });
      return undefined;
    }
  }

  /** What the bot signs with in that room; undefined while it can sign nothing. @throws what the store throws */
  async secretIn({ slug, instance, secret, isAppBot }: Bot, room: string): Promise<string | undefined> {
    if (!isAppBot) return secret;
    if (secret !== undefined && !(await this.store.hasRoom({ instance, bot: slug, room }))) return secret;
    const app = await this.store.find(instance);
    return app && this.storedSecret(app);
  }

  /**
   * After Talk refused a signature with `used`: whether the bot has another secret now. Never rejects.
   */
  async hasOther(instance: string, used: string): Promise<boolean> {
    try {
      const registration = await this.register(instance);
      return registration !== undefined && registration.secret !== used;
    } catch (error) {
      this.logger.warn({ event: 'app-bot.not-renewed', instance, ...describeError(error) });
      return false;
    }
  }
}
