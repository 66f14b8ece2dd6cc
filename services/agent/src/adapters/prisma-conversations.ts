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
    return rows.flatMap((row) => {
      const entry = entryOf(row, row.person === person);
      return entry ? [{ entry, tokens: row.tokens }] : [];
    });
  }

  async forgetBefore(time: Date): Promise<number> {
    const { count } = await this.prisma.agentConversationEntry.deleteMany({
      where: { createdAt: { lt: time } },
    });
    // By their start: a turn that never ended has texts in its steps, too.
    await this.prisma.agentTurn.deleteMany({ where: { startedAt: { lt: time } } });
    return count;
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

/** Undefined for what cannot be read any more: one lost memory must not cost the conversation. */
const entryOf = (
  { kind, role, name, content }: { kind: string; role: string; name: string; content: unknown },
  own: boolean,
): RememberedEntry | undefined => {
  if (kind === 'tools') {
    const tools = ToolsContent.safeParse(content).data;
    return tools && { kind: 'tools', calls: tools.calls, answers: tools.answers };
  }
  const said = SaidContent.safeParse(content).data;
  if (!said) return undefined;
  const { text, foreign = [] } = said;
  return { kind: 'said', role: role === 'bot' ? 'bot' : 'person', name, text, own, foreign };
};
