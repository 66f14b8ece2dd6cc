import { Injectable } from '@nestjs/common';
import { PostToRoom } from '@nuqloud/contracts';
import type { PostToRoomRequest } from '@nuqloud/contracts';
import { Bus } from '@nuqloud/messaging';
import type { MessageContext } from '@nuqloud/messaging';
import { RoomPosts } from '../ports/room-posts';
import type { PostTarget } from '../ports/room-posts';

@Injectable()
export class BusRoomPosts extends RoomPosts {
  constructor(private readonly bus: Bus) {
    super();
  }

  async message(
    target: PostTarget,
    key: string,
    text: string,
    replyTo: string | undefined,
    context: MessageContext,
  ): Promise<void> {
    await this.post(
      target,
      key,
      { type: 'message', text, ...(replyTo === undefined ? {} : { replyTo }) },
      context,
    );
  }

  async react(
    target: PostTarget,
    key: string,
    messageId: string,
    reaction: string,
    on: boolean,
    context: MessageContext,
  ): Promise<void> {
    await this.post(
      target,
      key,
      { type: on ? 'reaction_add' : 'reaction_remove', messageId, reaction },
      context,
    );
  }

  private async post(
    { instance, bot, room }: PostTarget,
    key: string,
    post: PostToRoomRequest['post'],
    context: MessageContext,
  ): Promise<void> {
    await this.bus.request(PostToRoom, {}, { v: 1, key, instance, bot, room, post }, { context });
  }
}
