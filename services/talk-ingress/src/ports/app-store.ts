/** This installation as an app of one Nextcloud. */
export interface StoredApp {
  readonly instance: string;
  /** The bot that Talk reaches through AppAPI, and its name for people; null: none. */
  readonly bot: { readonly slug: string; readonly name: string } | null;
  /** What its registration gave it to sign with, encrypted; null while the app is not enabled. */
  readonly sealedSecret: string | null;
  /** Nextcloud waits to hear that the app is initialised. */
  readonly initDue: boolean;
}

/** A bot in a room. */
export interface BotRoom {
  readonly instance: string;
  readonly bot: string;
  readonly room: string;
}

/** What is known of the app in each Nextcloud, and where its bot was heard; shared by all replicas. */
export abstract class AppStore {
  abstract all(): Promise<StoredApp[]>;
  abstract find(instance: string): Promise<StoredApp | undefined>;
  /** Makes the app or changes its bot; what its registration gave stays. */
  abstract configure(app: Pick<StoredApp, 'instance' | 'bot'>): Promise<void>;
  /** Forgets the app, its secret and its rooms. */
  abstract remove(instance: string): Promise<void>;
  /** The bot may try its signature at once again. Null: it can sign nothing any more. */
  abstract keepSecret(instance: string, sealedSecret: string | null): Promise<void>;
  abstract setInitDue(instance: string, due: boolean): Promise<void>;
  /** Talk told the bot of this room through AppAPI. */
  abstract addRoom(room: BotRoom): Promise<void>;
  /** Whether Talk last told the bot of this room through AppAPI. */
  abstract hasRoom(room: BotRoom): Promise<boolean>;
  /** Talk tells the bot of this room by itself, or no more. */
  abstract dropRoom(room: BotRoom): Promise<void>;
  /** The room of which Talk began to tell last. */
  abstract latestRoom(instance: string, bot: string): Promise<string | undefined>;
}
