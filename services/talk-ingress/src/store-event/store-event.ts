import type { ChatEventBody } from '@nuqloud/contracts';
import { describeError } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import { EventRefused } from '../ports/chat-log';
import type { Appended, ChatLog } from '../ports/chat-log';
import type { Spool } from '../ports/spool';
import type { NoteKnown } from '../catch-up/note-known';

/** Where an event is kept for good now. */
export type Stored = ({ readonly where: 'log' } & Appended) | { readonly where: 'spool' };

/** Stores what Talk told: in the chat log, or on the own disk while that is away. */
export class StoreEvent {
  private readonly inHand = new Set<Promise<Stored>>();

  constructor(
    private readonly chatLog: ChatLog,
    private readonly spool: Spool,
    private readonly known: Pick<NoteKnown, 'note'>,
    private readonly logger: Logger,
  ) {}

  /**
   * Returns once the event cannot be lost any more.
   * @throws EventRefused, SpoolError: it is not stored
   */
  async store(event: ChatEventBody, messageId: string): Promise<Stored> {
    const stored = this.storeAfter([...this.inHand], event, messageId);
    this.inHand.add(stored);
    try {
      const where = await stored;
      this.known.note(event);
      return where;
    } finally {
      this.inHand.delete(stored);
    }
  }

  private async storeAfter(
    earlier: readonly Promise<Stored>[],
    event: ChatEventBody,
    messageId: string,
  ): Promise<Stored> {
    // Nothing overtakes what waits in the spool.
    if (this.spool.size === 0) {
      try {
        return { where: 'log', ...(await this.chatLog.append(event, messageId)) };
      } catch (error) {
        if (error instanceof EventRefused) throw error;
        this.logger.warn({ event: 'chat-log.away', ...describeError(error) });
      }
    }
    // Nor what is still hoped to be acknowledged, and goes into the spool when it is not.
    await Promise.allSettled(earlier);
    await this.spool.keep({ v: 1, messageId, event });
    return { where: 'spool' };
  }
}
