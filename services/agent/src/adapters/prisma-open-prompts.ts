import { Injectable } from '@nestjs/common';
import { PrismaClient } from '@nuqloud/database';
import { OpenPrompts } from '../ports/confirmations';
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
      update: { askedAt },
    });
  }

  async isOpen({ instance, bot, room, person }: Asked): Promise<boolean> {
    return (await this.prisma.agentPrompt.count({ where: { instance, bot, room, person } })) > 0;
  }

  async closed({ instance, bot, room, person }: Asked): Promise<void> {
    await this.prisma.agentPrompt.deleteMany({ where: { instance, bot, room, person } });
  }
}
