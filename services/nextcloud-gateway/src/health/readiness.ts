import type { PrismaClient } from '@nuqloud/database';
import type { Bus } from '@nuqloud/messaging';

/** Whether the gateway can decide about requests: that takes the bus and the database. */
export class Readiness {
  constructor(
    private readonly bus: Bus,
    private readonly prisma: PrismaClient,
  ) {}

  async isReady(): Promise<boolean> {
    if (!this.bus.ready) return false;
    try {
      await this.prisma.$queryRaw`SELECT 1`;
      return true;
    } catch {
      // What failed is logged with the requests that need it; here the answer is just no.
      return false;
    }
  }
}
