import type { DatabaseService } from '@nuqloud/contracts';
import { AppError } from '@nuqloud/platform';
import { escapeIdentifier } from 'pg';
import type { Client } from 'pg';
import { tablesOf } from '../table-owners';
import { serviceRole } from './service-role';

/** The schema in which Prisma makes our tables. */
export const SCHEMA = 'public';

/** Everything in the schema that is the owner's: what an extension brought is not ours to change. */
const OWN_RELATIONS = `
SELECT relname AS name, relkind = 'S' AS "isSequence" FROM pg_class
WHERE relnamespace = $1::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
  AND pg_has_role(relowner, 'USAGE')`;

const SEQUENCES_OF_TABLES = `
SELECT sequence.relname AS name FROM pg_class AS sequence
JOIN pg_depend ON objid = sequence.oid AND classid = 'pg_class'::regclass
  AND refclassid = 'pg_class'::regclass AND deptype IN ('a', 'i')
JOIN pg_class AS "table" ON "table".oid = refobjid
WHERE sequence.relkind = 'S' AND sequence.relnamespace = $1::regnamespace AND "table".relname = ANY ($2)`;

/** Takes every right in this database from the roles and from PUBLIC, who stands for any role that exists. */
export const revokeEverything = async (
  client: Client,
  database: string,
  roles: readonly string[],
): Promise<void> => {
  const everybody = ['PUBLIC', ...roles.map(escapeIdentifier)].join(', ');
  const { rows } = await client.query<{ name: string; isSequence: boolean }>(OWN_RELATIONS, [SCHEMA]);
  for (const { name, isSequence } of rows) {
    await client.query(
      `REVOKE ALL ON ${isSequence ? 'SEQUENCE' : 'TABLE'} ${inSchema(name)} FROM ${everybody}`,
    );
  }
  await client.query(`REVOKE ALL ON SCHEMA ${escapeIdentifier(SCHEMA)} FROM ${everybody}`);
  await client.query(`REVOKE ALL ON DATABASE ${escapeIdentifier(database)} FROM ${everybody}`);
};

/** Lets a service connect and read and write the rows of its own tables, nothing more. */
export const grantOwnTables = async (
  client: Client,
  database: string,
  service: DatabaseService,
): Promise<void> => {
  const role = escapeIdentifier(serviceRole(service));
  const tables = tablesOf(service);
  await requireTables(client, tables);
  await client.query(`GRANT CONNECT ON DATABASE ${escapeIdentifier(database)} TO ${role}`);
  await client.query(`GRANT USAGE ON SCHEMA ${escapeIdentifier(SCHEMA)} TO ${role}`);
  for (const table of tables) {
    await client.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON TABLE ${inSchema(table)} TO ${role}`);
  }
  const sequences = await client.query<{ name: string }>(SEQUENCES_OF_TABLES, [SCHEMA, tables]);
  for (const { name } of sequences.rows) {
    await client.query(`GRANT USAGE, SELECT ON SEQUENCE ${inSchema(name)} TO ${role}`);
  }
};

const requireTables = async (client: Client, tables: readonly string[]): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NULL',
    [tables.map(inSchema)],
  );
  if (rows.length === 0) return;
  const missing = rows.map(({ name }) => name).join(', ');
  throw new AppError('DATABASE.NOT_MIGRATED', `The database has no ${missing}: migrate it first.`);
};

const inSchema = (relation: string): string => `${escapeIdentifier(SCHEMA)}.${escapeIdentifier(relation)}`;
