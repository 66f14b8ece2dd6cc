import { Inject, Injectable } from '@nestjs/common';
import { PrismaClient } from '@nuqloud/database';
import { describeError, LOGGER } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';

const EVERY_MS = 60 * 60 * 1000;
const KEPT_DAYS = 30;

/** Conversations are kept for 30 days; any replica may do the work, twice does no harm. */
@Injectable()
export class ForgetOldConversations {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly prisma: PrismaClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  start(): void {
    this.timer = setInterval(() => void this.forget(new Date()), EVERY_MS);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  async forget(now: Date): Promise<void> {
    const before = new Date(now.getTime() - KEPT_DAYS * 24 * 60 * 60 * 1000);
    try {
      const { count } = await this.prisma.agentConversationEntry.deleteMany({
        where: { createdAt: { lt: before } },
      });
      await this.prisma.agentTurn.deleteMany({ where: { endedAt: { lt: before } } });
      if (count > 0) this.logger.info({ event: 'conversation.forgotten', entries: count });
    } catch (error) {
      this.logger.warn({ event: 'conversation.not-forgotten', ...describeError(error) });
    }
  }
}
