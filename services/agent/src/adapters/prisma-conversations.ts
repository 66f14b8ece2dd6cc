import { Injectable } from '@nestjs/common';
import { SaidContent, ToolsContent } from '@nuqloud/contracts';
import { Prisma, PrismaClient } from '@nuqloud/database';
import type { StoredEntry } from '../domain/memory';
import type { RememberedEntry } from '../domain/prompt';
import type { Lease } from '../ports/rooms';
import { Conversations } from '../ports/turns';
import type { ConversationKey } from '../ports/turns';
import { heldBy } from './lease-guard';

@Injectable()
export class PrismaConversations extends Conversations {
  constructor(private readonly prisma: PrismaClient) {
    super();
  }

  async recent(key: ConversationKey, person: string, limit: number): Promise<StoredEntry[]> {
    const rows = await this.prisma.agentConversationEntry.findMany({
      where: {
        instance: key.instance,
        bot: key.bot,
        room: key.room,
        thread: key.thread ?? '',
        // Tool results are the person's who caused them; everybody else saw only what was posted.
        OR: [{ kind: 'said' }, { kind: 'tools', person }],
      },
      orderBy: { id: 'desc' },
      take: limit,
    });
    return rows.map(({ kind, role, name, content, tokens }) => ({
      entry: entryOf(kind, role, name, content),
      tokens,
    }));
  }

  async forget(
    lease: Lease,
    key: Omit<ConversationKey, 'thread'>,
    whose: { person: string } | 'everybody',
  ): Promise<void> {
    const part = whose === 'everybody' ? Prisma.empty : Prisma.sql`AND person = ${whose.person}`;
    await this.prisma.$executeRaw(Prisma.sql`
      WITH ${heldBy(lease)}
      DELETE FROM agent_conversation
      WHERE instance = ${key.instance} AND bot = ${key.bot} AND room = ${key.room} ${part}
        AND EXISTS (SELECT 1 FROM held)`);
  }
}

const entryOf = (kind: string, role: string, name: string, content: unknown): RememberedEntry => {
  if (kind === 'tools') {
    const { calls, answers } = ToolsContent.parse(content);
    return { kind: 'tools', calls, answers };
  }
  return {
    kind: 'said',
    role: role === 'bot' ? 'bot' : 'person',
    name,
    text: SaidContent.parse(content).text,
  };
};
