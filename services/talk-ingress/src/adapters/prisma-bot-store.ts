import type { PrismaClient } from '@nuqloud/database';
import { BotStore } from '../ports/bot-store';
import type { StoredBot } from '../ports/bot-store';

export class PrismaBotStore extends BotStore {
  constructor(private readonly prisma: PrismaClient) {
    super();
  }

  async all(): Promise<StoredBot[]> {
    const rows = await this.prisma.ingressBot.findMany();
    return rows.map(({ bot, instance, instanceUrl, sealedSecret }) => ({
      slug: bot,
      instance,
      instanceUrl,
      sealedSecret,
    }));
  }

  async save({ slug, ...bot }: StoredBot): Promise<void> {
    await this.prisma.ingressBot.upsert({
      where: { bot: slug },
      create: { bot: slug, ...bot },
      update: { ...bot, refusals: 0, pausedUntil: null },
    });
  }
}
