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
    const { state, postedAt, othersSince } = await this.bus.request(
      FateContract,
      {},
      { v: 1, ...prompt },
      { context },
    );
    return { state, postedAt: postedAt === null ? null : Date.parse(postedAt), othersSince };
  }
}
