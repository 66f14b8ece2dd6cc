import { Injectable } from '@nestjs/common';
import { ChatEventBody } from '@nuqloud/contracts';
import { Prisma, PrismaClient } from '@nuqloud/database';
import { Inbox } from '../ports/rooms';
import type { InboxItem, Lease, RoomKey } from '../ports/rooms';
import { LeaseLost } from '../ports/turns';
import { heldBy } from './lease-guard';

@Injectable()
export class PrismaInbox extends Inbox {
  constructor(private readonly prisma: PrismaClient) {
    super();
  }

  async add(event: ChatEventBody, dedupeKey: string, correlationId: string): Promise<boolean> {
    const added = await this.prisma.$executeRaw`
      INSERT INTO agent_inbox (instance, bot, room, dedupe_key, correlation_id, event, received_at)
      VALUES (${event.instance}, ${event.bot}, ${event.room}, ${dedupeKey}, ${correlationId},
              ${JSON.stringify(event)}::jsonb, ${event.receivedAt}::timestamptz)
      ON CONFLICT (instance, bot, room, dedupe_key) DO NOTHING`;
    return added === 1;
  }

  async next({ instance, room }: RoomKey): Promise<InboxItem | undefined> {
    const row = await this.prisma.agentInbox.findFirst({
      where: { state: 'pending', instance, room },
      orderBy: { id: 'asc' },
    });
    if (!row) return undefined;
    const { id, correlationId, receivedAt, event } = row;
    return { id, correlationId, receivedAt, event: ChatEventBody.safeParse(event).data };
  }

  async ignore(lease: Lease, id: bigint): Promise<void> {
    const changed = await this.prisma.$executeRaw(Prisma.sql`
      WITH ${heldBy(lease)}
      UPDATE agent_inbox SET state = 'ignored', event = NULL, done_at = now()
      WHERE id = ${id} AND EXISTS (SELECT 1 FROM held)`);
    if (changed === 0) throw new LeaseLost();
  }

  async waitingRooms(limit: number): Promise<RoomKey[]> {
    return this.prisma.$queryRaw<RoomKey[]>`
      SELECT DISTINCT waiting.instance, waiting.room FROM agent_inbox waiting
      LEFT JOIN agent_leases lease ON lease.instance = waiting.instance AND lease.room = waiting.room
      WHERE waiting.state = 'pending' AND (lease.expires_at IS NULL OR lease.expires_at <= now())
      LIMIT ${limit}`;
  }
}
