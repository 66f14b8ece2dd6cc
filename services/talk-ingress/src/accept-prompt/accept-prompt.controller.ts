import { Controller } from '@nestjs/common';
import { PostPrompt } from '@nuqloud/contracts';
import type { PostPromptRequest, PostToRoomReply } from '@nuqloud/contracts';
import { OnRequest } from '@nuqloud/messaging';
import type { MessageContext } from '@nuqloud/messaging';
import { AcceptPost } from '../accept-post/accept-post';

@Controller()
export class AcceptPromptController {
  constructor(private readonly posts: AcceptPost) {}

  @OnRequest(PostPrompt)
  accept(request: PostPromptRequest, { correlationId }: MessageContext): Promise<PostToRoomReply> {
    return this.posts.acceptPrompt(request, correlationId);
  }
}
