import { Inject, Injectable } from '@nestjs/common';
import { describeError, LOGGER } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import { Conversations } from '../ports/turns';

const EVERY_MS = 60 * 60 * 1000;
const KEPT_DAYS = 30;

/** Conversations are kept for 30 days; any replica may do the work, twice does no harm. */
@Injectable()
export class ForgetOldConversations {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly conversations: Conversations,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  start(): void {
    this.timer = setInterval(() => void this.forget(new Date()), EVERY_MS);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async forget(now: Date): Promise<void> {
    try {
      const entries = await this.conversations.forgetBefore(
        new Date(now.getTime() - KEPT_DAYS * 24 * 60 * 60 * 1000),
      );
      if (entries > 0) this.logger.info({ event: 'conversation.forgotten', entries });
    } catch (error) {
      this.logger.warn({ event: 'conversation.not-forgotten', ...describeError(error) });
    }
  }
}
