import type { ChatEventBody } from '@nuqloud/contracts';
import { describeError } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import type { KnownMessages, KnownUpTo } from '../ports/known-messages';

const FLUSH_MS = 2_000;

/**
 * Remembers up to where each bot knows its rooms. It is written a little later, for many messages at once: what a crash
 * takes of it is read from the history once more, and counts once.
 */
export class NoteKnown {
  private readonly marks = new Map<string, KnownUpTo>();
  private timer: NodeJS.Timeout | undefined;
  private flushing: Promise<void> = Promise.resolve();

  constructor(
    private readonly known: KnownMessages,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.timer = setInterval(() => {
      this.flushing = this.flushing.then(() => this.flush());
    }, FLUSH_MS);
  }

  async stop(): Promise<void> {
    if (!this.timer) return; // what is not read yet must stay unread
    clearInterval(this.timer);
    await this.flushing;
    await this.flush();
  }

  /** After it is stored. */
  note(event: ChatEventBody): void {
    const { instance, bot, room } = event;
    const place = `${instance}/${bot}/${room}`;
    if (event.kind === 'left') {
      this.marks.delete(place);
      this.flushing = this.flushing.then(() => this.forget({ instance, bot, room }));
      return;
    }
    if (event.kind !== 'message' && event.kind !== 'attachment' && event.kind !== 'system') return;
    const message = BigInt(event.messageId);
    const before = this.marks.get(place)?.message ?? 0n;
    if (message > before) this.marks.set(place, { instance, bot, room, message });
  }

  private async flush(): Promise<void> {
    const marks = [...this.marks.values()];
    if (marks.length === 0) return;
    this.marks.clear();
    try {
      await this.known.raise(marks);
    } catch (error) {
      this.logger.warn({ event: 'known.not-noted', rooms: marks.length, ...describeError(error) });
    }
  }

  private async forget(place: Omit<KnownUpTo, 'message'>): Promise<void> {
    try {
      await this.known.forget(place);
    } catch (error) {
      this.logger.warn({ event: 'known.not-forgotten', ...place, ...describeError(error) });
    }
  }
}
