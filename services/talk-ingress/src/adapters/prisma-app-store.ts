import type { IngressApp, PrismaClient } from '@nuqloud/database';
import { AppStore } from '../ports/app-store';
import type { BotRoom, StoredApp } from '../ports/app-store';

export class PrismaAppStore extends AppStore {
  constructor(private readonly prisma: PrismaClient) {
    super();
  }

  async all(): Promise<StoredApp[]> {
    return (await this.prisma.ingressApp.findMany()).map(fromRow);
  }

  async find(instance: string): Promise<StoredApp | undefined> {
    const row = await this.prisma.ingressApp.findUnique({ where: { instance } });
    return row ? fromRow(row) : undefined;
  }

  async configure({ instance, bot }: Pick<StoredApp, 'instance' | 'bot'>): Promise<void> {
    const row = { bot: bot?.slug ?? null, botName: bot?.name ?? null };
    await this.prisma.ingressApp.upsert({
      where: { instance },
      create: { instance, ...row },
      update: row,
    });
  }

  async remove(instance: string): Promise<void> {
    await this.prisma.$transaction([
      this.prisma.ingressAppRoom.deleteMany({ where: { instance } }),
      this.prisma.ingressApp.deleteMany({ where: { instance } }),
    ]);
  }

  async keepSecret(instance: string, sealedSecret: string | null): Promise<void> {
    await this.prisma.$executeRaw`
      WITH app AS (
        UPDATE ingress_apps SET sealed_secret = ${sealedSecret}, updated_at = now() WHERE instance = ${instance}
        RETURNING bot
      )
      UPDATE ingress_bots AS sender SET refusals = 0, paused_until = NULL FROM app WHERE sender.bot = app.bot`;
  }

  async setInitDue(instance: string, initDue: boolean): Promise<void> {
    await this.prisma.ingressApp.updateMany({ where: { instance }, data: { initDue } });
  }

  async addRoom(room: BotRoom): Promise<void> {
    await this.prisma.ingressAppRoom.createMany({ data: [{ ...room }], skipDuplicates: true });
  }

  async hasRoom(room: BotRoom): Promise<boolean> {
    return (await this.prisma.ingressAppRoom.count({ where: { ...room } })) > 0;
  }

  async dropRoom(room: BotRoom): Promise<void> {
    await this.prisma.ingressAppRoom.deleteMany({ where: { ...room } });
  }

  async latestRoom(instance: string, bot: string): Promise<string | undefined> {
    const row = await this.prisma.ingressAppRoom.findFirst({
      where: { instance, bot },
      orderBy: { since: 'desc' },
    });
    return row?.room;
  }
}

const fromRow = ({ instance, bot, botName, sealedSecret, initDue }: IngressApp): StoredApp => ({
  instance,
  bot: bot === null || botName === null ? null : { slug: bot, name: botName },
  sealedSecret,
  initDue,
});
