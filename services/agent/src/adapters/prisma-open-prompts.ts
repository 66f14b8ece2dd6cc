import { Injectable } from '@nestjs/common';
import { PrismaClient } from '@nuqloud/database';
import { OpenPrompts, PromptState } from '../ports/confirmations';
import type { Asked } from '../ports/confirmations';

@Injectable()
export class PrismaOpenPrompts extends OpenPrompts {
  constructor(private readonly prisma: PrismaClient) {
    super();
  }

  async opened({ instance, bot, room, person }: Asked): Promise<void> {
    const asked = { instance, bot, room, person };
    const askedAt = new Date();
    await this.prisma.agentPrompt.upsert({
      where: { instance_bot_room_person: asked },
      create: { ...asked, askedAt },
      update: { askedAt, state: 'open' },
    });
  }

  async stateOf({ instance, bot, room, person }: Asked): Promise<PromptState | undefined> {
    const row = await this.prisma.agentPrompt.findFirst({ where: { instance, bot, room, person } });
    return row ? PromptState.parse(row.state) : undefined;
  }

  async mark({ instance, bot, room, person }: Asked, state: PromptState): Promise<void> {
    await this.prisma.agentPrompt.updateMany({ where: { instance, bot, room, person }, data: { state } });
  }

  async wentOn({ instance, bot, room, person }: Asked): Promise<void> {
    await this.prisma.agentPrompt.deleteMany({ where: { instance, bot, room, person, state: 'declined' } });
  }

  async closed({ instance, bot, room, person }: Asked): Promise<void> {
    await this.prisma.agentPrompt.deleteMany({ where: { instance, bot, room, person } });
  }
}
