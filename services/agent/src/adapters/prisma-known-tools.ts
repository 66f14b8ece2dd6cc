import { Injectable } from '@nestjs/common';
import { PrismaClient } from '@nuqloud/database';
import { KnownTools } from '../ports/bots';
import type { KnownTool } from '../ports/bots';

@Injectable()
export class PrismaKnownTools extends KnownTools {
  constructor(private readonly prisma: PrismaClient) {
    super();
  }

  async save(instance: string, tools: readonly KnownTool[]): Promise<void> {
    if (tools.length === 0) return;
    await this.prisma.$executeRaw`
      INSERT INTO agent_tools (instance, name, provider, label, summary)
      SELECT ${instance}, tool.name, tool.provider, tool.label, tool.summary
      FROM jsonb_to_recordset(${JSON.stringify(tools)}::jsonb)
        AS tool (name text, provider text, label text, summary text)
      ORDER BY tool.name
      ON CONFLICT (instance, name) DO UPDATE
        SET provider = excluded.provider, label = excluded.label, summary = excluded.summary`;
  }

  async byName(instance: string, names: readonly string[]): Promise<KnownTool[]> {
    return this.prisma.agentTool.findMany({
      where: { instance, name: { in: [...names] } },
      select: { name: true, provider: true, label: true, summary: true },
    });
  }
}
