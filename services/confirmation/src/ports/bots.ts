import type { BotNames } from '../domain/read-answer';

/** By which names the bots are called. */
export abstract class Bots {
  abstract find(instance: string, slug: string): Promise<BotNames | undefined>;
}
