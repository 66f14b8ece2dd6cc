import { Injectable } from '@nestjs/common';
import { PrismaClient } from '@nuqloud/database';
import { RoomLeases } from '../ports/rooms';
import type { Lease, RoomKey } from '../ports/rooms';

/** Expiry is reckoned by the database's clock alone, so that replicas need not agree on the time. */
@Injectable()
export class PrismaRoomLeases extends RoomLeases {
  constructor(private readonly prisma: PrismaClient) {
    super();
  }

  async acquire({ instance, room }: RoomKey, ttlMs: number): Promise<Lease | undefined> {
    const rows = await this.prisma.$queryRaw<{ epoch: bigint }[]>`
      INSERT INTO agent_leases (instance, room, epoch, expires_at)
      VALUES (${instance}, ${room}, 1, now() + ${ttlMs} * interval '1 millisecond')
      ON CONFLICT (instance, room) DO UPDATE
        SET epoch = agent_leases.epoch + 1, expires_at = excluded.expires_at
        WHERE agent_leases.expires_at <= now()
      RETURNING epoch`;
    const [row] = rows;
    return row ? { instance, room, epoch: row.epoch } : undefined;
  }

  async renew({ instance, room, epoch }: Lease, ttlMs: number): Promise<boolean> {
    const renewed = await this.prisma.$executeRaw`
      UPDATE agent_leases SET expires_at = now() + ${ttlMs} * interval '1 millisecond'
      WHERE instance = ${instance} AND room = ${room} AND epoch = ${epoch}`;
    return renewed === 1;
  }

  async release({ instance, room, epoch }: Lease): Promise<void> {
    await this.prisma.$executeRaw`
      UPDATE agent_leases SET expires_at = now()
      WHERE instance = ${instance} AND room = ${room} AND epoch = ${epoch}`;
  }
}
