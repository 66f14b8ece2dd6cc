import type { Bus } from '@nuqloud/messaging';
import type { BotDirectory } from '../bots/bot-directory';

/** Whether a webhook would be taken and a post stored. */
export class Readiness {
  constructor(
    private readonly bus: Pick<Bus, 'ready'>,
    private readonly bots: Pick<BotDirectory, 'isReachable'>,
  ) {}

  get checks(): { bus: boolean; database: boolean } {
    return { bus: this.bus.ready, database: this.bots.isReachable };
  }
}
