import { Inject, Injectable } from '@nestjs/common';
import { ResourceScope, ToolReceipt } from '@nuqloud/contracts';
import { PrismaClient } from '@nuqloud/database';
import { describeError, LOGGER } from '@nuqloud/platform';
import type { Logger } from '@nuqloud/platform';
import { z } from 'zod';
import type { Asked } from '../ports/confirmations';
import { Receipts } from '../ports/receipts';
import type { StoredReceipt } from '../ports/receipts';

const Stored = z.object({ receipt: ToolReceipt, scope: ResourceScope.nullable() });

@Injectable()
export class PrismaReceipts extends Receipts {
  constructor(
    private readonly prisma: PrismaClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  async latest({ instance, bot, room, person }: Asked, since: Date): Promise<StoredReceipt | undefined> {
    const row = await this.prisma.agentReceipt.findFirst({
      where: { instance, bot, room, person, undoneAt: null, doneAt: { gte: since } },
      orderBy: { id: 'desc' },
    });
    if (!row) return undefined;
    const stored = Stored.safeParse(row);
    if (!stored.success) {
      this.logger.error({
        event: 'receipt.unreadable',
        receipt: String(row.id),
        ...describeError(stored.error),
      });
      return undefined;
    }
    const { receipt, scope } = stored.data;
    return { id: row.id, provider: row.provider, tool: row.tool, receipt, scope: scope ?? undefined };
  }

  async undoneBy(confirmation: string): Promise<{ id: bigint; tool: string } | undefined> {
    const row = await this.prisma.agentReceipt.findFirst({ where: { undoing: confirmation } });
    return row ?? undefined;
  }
}
