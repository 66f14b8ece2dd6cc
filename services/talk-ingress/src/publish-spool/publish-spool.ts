import { describeError } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import type { IngressMetrics } from '../observe/ingress-metrics';
import { EventRefused } from '../ports/chat-log';
import type { ChatLog } from '../ports/chat-log';
import type { Spool, Spooled } from '../ports/spool';

/** How soon after its return the chat log gets what it missed. */
const POLL_MS = 500;

/** Hands what waits in the spool to the chat log, one after another in the order in which it came. */
export class PublishSpool {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private stopping = false;
  private away = false;

  constructor(
    private readonly spool: Spool,
    private readonly chatLog: ChatLog,
    private readonly metrics: IngressMetrics,
    private readonly logger: Logger,
  ) {}

  start(): void {
    if (this.spool.size > 0) this.logger.warn({ event: 'spool.found', events: this.spool.size });
    this.timer = setInterval(() => {
      this.running ??= this.publishAll().finally(() => (this.running = undefined));
    }, POLL_MS);
  }

  /** What is left waits for the next start. */
  async stop(): Promise<void> {
    this.stopping = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** Ends when nothing waits, or at the first that the log does not take now. */
  private async publishAll(): Promise<void> {
    this.metrics.spooled.set(this.spool.size);
    try {
      while (!this.stopping) {
        const next = await this.spool.oldest();
        if (!next) return;
        await this.publish(next);
        this.away = false;
        this.metrics.spooled.set(this.spool.size);
      }
    } catch (error) {
      if (!this.away)
        this.logger.warn({ event: 'spool.waits', events: this.spool.size, ...describeError(error) });
      this.away = true;
    }
  }

  private async publish({ name, event, messageId }: Spooled): Promise<void> {
    try {
      const stored = await this.chatLog.append(event, messageId);
      this.logger.info({ event: 'spool.published', bot: event.bot, room: event.room, ...stored });
    } catch (error) {
      if (!(error instanceof EventRefused)) throw error;
      return this.spool.setAside(name, error);
    }
    await this.spool.remove(name);
  }
}
