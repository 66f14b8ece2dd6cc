import { Controller } from '@nestjs/common';
import { PromptFate } from '@nuqloud/contracts';
import type { PromptFateReply, PromptFateRequest } from '@nuqloud/contracts';
import { OnRequest } from '@nuqloud/messaging';
import { outboxAway } from '../accept-post/post-refusals';
import { promptKey } from '../domain/prompt-key';
import { Outbox } from '../ports/outbox';

/** Tells `confirmation`, when it judges an answer, what became of the prompt. */
@Controller()
export class ReportPromptFateController {
  constructor(private readonly outbox: Outbox) {}

  /** @throws AppError TALK.OUTBOX_AWAY (retryable) */
  @OnRequest(PromptFate)
  async report({ instance, bot, room, confirmation }: PromptFateRequest): Promise<PromptFateReply> {
    const prompt = { instance, bot, room, key: promptKey(confirmation) };
    const { state, triedAt, postedAt, othersSince } = await this.outbox
      .fate(prompt)
      .catch((cause: unknown) => {
        throw outboxAway(cause);
      });
    const times = { triedAt: triedAt?.toISOString() ?? null, postedAt: postedAt?.toISOString() ?? null };
    return { v: 1, state, ...times, othersSince };
  }
}
