import { Prisma } from '@nuqloud/database';
import type { Lease } from '../ports/rooms';

/**
 * A CTE named `held` with one row while the lease is ours. `FOR SHARE` makes whoever wants to take
 * the room over wait until our statement is through, so that no write slips in after the change.
 */
export const heldBy = ({ instance, room, epoch }: Lease): Prisma.Sql => Prisma.sql`
  held AS (
    SELECT 1 FROM agent_leases
    WHERE instance = ${instance} AND room = ${room} AND epoch = ${epoch}
    FOR SHARE
  )`;
