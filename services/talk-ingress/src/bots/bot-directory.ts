import { describeError } from '@nuqloud/platform';
import type { Logger, RowSecrets } from '@nuqloud/platform';
import type { BotStore, KnownBot } from '../ports/bot-store';

/** A Talk bot that this installation serves. */
export interface Bot {
  readonly slug: string;
  readonly instance: string;
  readonly instanceUrl: string;
  /** Of the plain Talk bot; undefined where Talk reaches it through AppAPI only. */
  readonly secret: string | undefined;
  /** Whether Talk may (also) reach it through AppAPI. */
  readonly isAppBot: boolean;
}

/** How long a bot made by another replica may be unknown here. */
const REFRESH_MS = 5_000;

/**
 * All bots, in memory: a webhook never waits for the database, and one for a bot that does not exist costs one
 * look-up however often it comes. While the database is away the last known bots go on.
 */
export class BotDirectory {
  private bots: ReadonlyMap<string, Bot> = new Map();
  private timer: NodeJS.Timeout | undefined;
  private refreshing: Promise<void> | undefined;
  private reachable = true;

  constructor(
    private readonly store: BotStore,
    private readonly secrets: Pick<RowSecrets, 'open'>,
    private readonly logger: Logger,
  ) {}

  /** @throws AppError SECRETS.UNREADABLE, and what the store throws: with a wrong key nothing should start */
  async start(): Promise<void> {
    this.bots = bySlug((await this.store.all()).map((stored) => this.open(stored)));
    this.timer = setInterval(() => void this.refresh(), REFRESH_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.refreshing;
  }

  find(slug: string): Bot | undefined {
    return this.bots.get(slug);
  }

  all(): readonly Bot[] {
    return [...this.bots.values()];
  }

  /** The bot of that instance that Talk reaches through AppAPI. */
  ofApp(instance: string): Bot | undefined {
    return [...this.bots.values()].find((bot) => bot.isAppBot && bot.instance === instance);
  }

  /** Looks into the store before it says that there is no such bot: another replica may just have made it. */
  async findFresh(slug: string): Promise<Bot | undefined> {
    if (!this.bots.has(slug)) await this.refresh();
    return this.bots.get(slug);
  }

  /** Whether the store answered the last time it was asked. */
  get isReachable(): boolean {
    return this.reachable;
  }

  private refresh(): Promise<void> {
    this.refreshing ??= this.tryLoad().finally(() => {
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  private async tryLoad(): Promise<void> {
    try {
      const stored = await this.store.all();
      this.bots = bySlug(stored.flatMap((bot) => this.openOrKeep(bot)));
      if (!this.reachable) this.logger.info({ event: 'bots.store-back' });
      this.reachable = true;
    } catch (error) {
      if (this.reachable) this.logger.error({ event: 'bots.store-away', ...describeError(error) });
      this.reachable = false;
    }
  }

  /** A row that cannot be read costs nobody the other bots, nor the bot as it was known before. */
  private openOrKeep(stored: KnownBot): Bot[] {
    try {
      return [this.open(stored)];
    } catch (error) {
      this.logger.error({ event: 'bots.unreadable', bot: stored.slug, ...describeError(error) });
      return [this.bots.get(stored.slug)].filter((bot) => bot !== undefined);
    }
  }

  private open({ sealedSecret, ...bot }: KnownBot): Bot {
    const secret = sealedSecret === null ? undefined : this.secrets.open(bot.slug, sealedSecret);
    return { ...bot, secret };
  }
}

const bySlug = (bots: readonly Bot[]): ReadonlyMap<string, Bot> =>
  new Map(bots.map((bot) => [bot.slug, bot]));
