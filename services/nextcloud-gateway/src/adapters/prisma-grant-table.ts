import { ActingMode } from '@nuqloud/contracts';
import type { PrismaClient } from '@nuqloud/database';
import type { Grant } from '../domain/grants';
import { GrantTable } from '../ports/grant-table';
import { fromStore } from './from-store';

/** Reads the rows each time: a tool that was taken from a bot is gone with the next request. */
export class PrismaGrantTable extends GrantTable {
  constructor(private readonly prisma: PrismaClient) {
    super();
  }

  override async ofBot(instance: string, bot: string): Promise<Grant[]> {
    const rows = await fromStore(this.prisma.gatewayGrant.findMany({ where: { instance, bot } }));
    return rows.map(({ tool, mode, profile }) => ({ tool, mode: ActingMode.parse(mode), profile }));
  }
}
