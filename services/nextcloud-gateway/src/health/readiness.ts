import { answers } from '@nuqloud/database';
import type { PrismaClient } from '@nuqloud/database';
import type { Bus } from '@nuqloud/messaging';

/** Whether the gateway can decide about requests: that takes the bus and the database. */
export class Readiness {
  constructor(
    private readonly bus: Bus,
    private readonly prisma: PrismaClient,
  ) {}

  async isReady(): Promise<boolean> {
    return this.bus.ready && (await answers(this.prisma));
  }
}
