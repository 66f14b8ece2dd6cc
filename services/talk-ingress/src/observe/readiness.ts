import type { Bus } from '@nuqloud/messaging';
import type { BotDirectory } from '../bots/bot-directory';
import type { Spool } from '../ports/spool';

/**
 * Whether a webhook would be taken. Without the bus or the database it still is: who took this replica away from Talk
 * then would lose what it can keep.
 */
export class Readiness {
  constructor(
    private readonly bus: Pick<Bus, 'ready'>,
    private readonly bots: Pick<BotDirectory, 'isReachable'>,
    private readonly spool: Pick<Spool, 'hasRoom'>,
  ) {}

  get takesWebhooks(): boolean {
    return this.bus.ready || this.spool.hasRoom;
  }

  get checks(): { bus: boolean; database: boolean; spool: boolean } {
    return { bus: this.bus.ready, database: this.bots.isReachable, spool: this.spool.hasRoom };
  }
}
