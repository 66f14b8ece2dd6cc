import type { PostPromptRequest } from '@nuqloud/contracts';
import { PostPrompt, PromptFate as FateContract } from '@nuqloud/contracts';
import type { Bus, MessageContext } from '@nuqloud/messaging';
import type { PromptAddress, PromptFate } from '../ports/talk';
import { Talk } from '../ports/talk';

export class BusTalk extends Talk {
  constructor(private readonly bus: Bus) {
    super();
  }

  override async post(post: Omit<PostPromptRequest, 'v'>, context: MessageContext): Promise<void> {
    await this.bus.request(PostPrompt, {}, { v: 1, ...post }, { context });
  }

  override async fateOf(prompt: PromptAddress, context: MessageContext): Promise<PromptFate> {
    const { state, triedAt, postedAt, othersSince } = await this.bus.request(
      FateContract,
      {},
      { v: 1, ...prompt },
      { context },
    );
    return { state, triedAt: timeOf(triedAt), postedAt: timeOf(postedAt), othersSince };
  }
}

const timeOf = (time: string | null): number | null => (time === null ? null : Date.parse(time));
