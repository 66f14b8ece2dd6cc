import { Injectable } from '@nestjs/common';
import { AllowedUsers, ResourceScope, RoomMode } from '@nuqloud/contracts';
import { Prisma, PrismaClient } from '@nuqloud/database';
import { Bots } from '../ports/bots';
import type { Bot, PendingPattern } from '../ports/bots';
import type { ToolAssignment } from '../domain/loadout';

@Injectable()
export class PrismaBots extends Bots {
  constructor(private readonly prisma: PrismaClient) {
    super();
  }

  async instances(): Promise<string[]> {
    const rows = await this.prisma.agentBot.findMany({ distinct: ['instance'], select: { instance: true } });
    return rows.map(({ instance }) => instance);
  }

  async models(): Promise<string[]> {
    const rows = await this.prisma.agentBot.findMany({
      distinct: ['modelName'],
      select: { modelName: true },
      orderBy: { modelName: 'asc' },
    });
    return rows.flatMap(({ modelName }) => modelName ?? []);
  }

  async find(slug: string): Promise<Bot | undefined> {
    const [row, rooms] = await Promise.all([
      this.prisma.agentBot.findUnique({ where: { slug } }),
      this.prisma.agentRoom.findMany({ where: { bot: slug } }),
    ]);
    if (!row) return undefined;
    return {
      slug: row.slug,
      instance: row.instance,
      instanceUrl: row.instanceUrl,
      name: row.name,
      triggers: row.triggers,
      prompt: row.prompt,
      model: row.modelName ?? undefined,
      temperature: row.temperature ?? undefined,
      users: AllowedUsers.parse(row.users),
      guests: row.guests,
      forcedSearch: row.forcedSearch === 'off' || row.forcedSearch === 'always' ? row.forcedSearch : 'auto',
      defaultMode: RoomMode.parse(row.defaultMode),
      modes: new Map(rooms.map(({ room, mode }) => [room, RoomMode.parse(mode)])),
    };
  }

  async tools(slug: string): Promise<ToolAssignment[]> {
    const rows = await this.prisma.botTool.findMany({
      where: { bot: slug, isPattern: false },
      orderBy: [{ position: 'asc' }, { tool: 'asc' }],
    });
    return rows.map(({ tool, confirm, scope }) => ({
      tool,
      confirmAlways: confirm === 'always',
      scope: scope === null ? undefined : ResourceScope.parse(scope),
    }));
  }

  async pendingPatterns(instance: string): Promise<PendingPattern[]> {
    const rows = await this.prisma.botTool.findMany({
      where: { isPattern: true, expandedAt: null, owner: { instance } },
    });
    return rows.map(({ bot, tool }) => ({ bot, instance, pattern: tool }));
  }

  /** Two replicas may expand the same pattern; both write the same rows. */
  async expand({ bot, pattern }: PendingPattern, tools: readonly string[]): Promise<void> {
    await this.prisma.$executeRaw(Prisma.sql`
      WITH expanded AS (
        UPDATE bot_tools SET expanded_at = now() WHERE bot = ${bot} AND tool = ${pattern} AND is_pattern
        RETURNING position
      )
      INSERT INTO bot_tools (bot, tool, is_built_in, from_pattern, position)
      SELECT ${bot}, name, true, ${pattern}, position
      FROM expanded, unnest(${[...tools]}::text[]) AS name
      ON CONFLICT (bot, tool) DO NOTHING`);
  }
}
