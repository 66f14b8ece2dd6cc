/** A Talk bot as it is stored; its secret is encrypted with ENCRYPTION_KEY. */
export interface StoredBot {
  readonly slug: string;
  readonly instance: string;
  /** Base URL of its Nextcloud, with a sub-folder if there is one. */
  readonly instanceUrl: string;
  /** Null: Talk reaches it through AppAPI only. */
  readonly sealedSecret: string | null;
}

/** A bot, and whether Talk may (also) reach it through AppAPI. */
export interface KnownBot extends StoredBot {
  readonly isAppBot: boolean;
}

/** Where the bots are kept; shared by all replicas. */
export abstract class BotStore {
  abstract all(): Promise<KnownBot[]>;
  /** Makes or changes the bot; a changed one may try its signature at once again. */
  abstract save(bot: StoredBot): Promise<void>;
}
