import type { PrismaClient } from '@nuqloud/database';
import type { BotNames } from '../domain/read-answer';
import { Bots } from '../ports/bots';
import { fromStore } from './from-store';

export class PrismaBots extends Bots {
  constructor(private readonly prisma: PrismaClient) {
    super();
  }

  override async find(instance: string, slug: string): Promise<BotNames | undefined> {
    const row = await fromStore(this.prisma.confirmationBot.findUnique({ where: { slug } }));
    return row && row.instance === instance ? row : undefined;
  }
}
