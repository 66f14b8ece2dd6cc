import { Controller } from '@nestjs/common';
import { PostToRoom } from '@nuqloud/contracts';
import type { PostToRoomReply, PostToRoomRequest } from '@nuqloud/contracts';
import { OnRequest } from '@nuqloud/messaging';
import type { MessageContext } from '@nuqloud/messaging';
import { AcceptPost } from './accept-post';

@Controller()
export class AcceptPostController {
  constructor(private readonly posts: AcceptPost) {}

  @OnRequest(PostToRoom)
  accept(request: PostToRoomRequest, { correlationId }: MessageContext): Promise<PostToRoomReply> {
    return this.posts.accept(request, correlationId);
  }
}
