import type { PrismaClient } from '@nuqloud/database';
import { BotStore } from '../ports/bot-store';
import type { KnownBot, StoredBot } from '../ports/bot-store';

export class PrismaBotStore extends BotStore {
  constructor(private readonly prisma: PrismaClient) {
    super();
  }

  async all(): Promise<KnownBot[]> {
    const rows = await this.prisma.ingressBot.findMany();
    const apps = await this.prisma.ingressApp.findMany({ select: { instance: true, bot: true } });
    return rows.map(({ bot, instance, instanceUrl, sealedSecret }) => ({
      slug: bot,
      instance,
      instanceUrl,
      sealedSecret,
      isAppBot: apps.some((app) => app.instance === instance && app.bot === bot),
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
