import { DATABASE_SERVICES } from '@nuqloud/contracts';
import type { DatabaseService } from '@nuqloud/contracts';
import { DatabaseError } from 'pg';
import type { Client } from 'pg';
import { inTransaction, withOwnerSession } from '../owner-session';
import { ensureLogin } from './ensure-login';
import { grantOwnTables, revokeEverything } from './grants';
import { explainRefusal, requireOwner } from './require-owner';
import { serviceRole } from './service-role';

/** A password for each service that has tables. */
export type ServicePasswords = Readonly<Record<DatabaseService, string>>;

/** unique_violation, duplicate_object, internal_error ("tuple concurrently updated") */
const COLLISIONS: ReadonlySet<string | undefined> = new Set(['23505', '42710', 'XX000']);
const ATTEMPTS = 5;

/**
 * Gives every service its login and exactly its own tables; whatever else these roles or PUBLIC may do in this
 * database is taken away. Run it after `migrate`, and again whenever tables or passwords changed: the passwords
 * are set each time. Roles belong to the whole server, so each installation needs a server of its own, or must
 * share its keys with the other.
 * @param ownerUrl login of the database's owner, who must be allowed to create roles
 * @throws AppError DATABASE.OWNER, DATABASE.NOT_MIGRATED
 */
export const ensureRoles = async (ownerUrl: string, passwords: ServicePasswords): Promise<void> =>
  withOwnerSession(ownerUrl, (client) => retryCollisions(() => setUpRoles(client, passwords)));

const setUpRoles = (client: Client, passwords: ServicePasswords): Promise<void> =>
  inTransaction(client, async () => {
    const database = await requireOwner(client);
    for (const service of DATABASE_SERVICES) {
      await ensureLogin(client, serviceRole(service), passwords[service]);
    }
    await revokeEverything(client, database, DATABASE_SERVICES.map(serviceRole));
    for (const service of DATABASE_SERVICES) await grantOwnTables(client, database, service);
  });

/** Our lock covers this database only; a set-up of another database on the same server may touch the same roles. */
const retryCollisions = async (work: () => Promise<void>): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const collided = error instanceof DatabaseError && COLLISIONS.has(error.code);
      if (!collided || attempt === ATTEMPTS) throw explainRefusal(error);
    }
  }
};
