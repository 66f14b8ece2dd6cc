import { escapeIdentifier, escapeLiteral } from 'pg';
import type { Client } from 'pg';
import { scramVerifier } from './scram-verifier';

/** What a service may not be, as pg_roles tells it, and how it is taken away. */
const POWERS = {
  rolsuper: 'NOSUPERUSER',
  rolcreatedb: 'NOCREATEDB',
  rolcreaterole: 'NOCREATEROLE',
  rolreplication: 'NOREPLICATION',
  rolbypassrls: 'NOBYPASSRLS',
} as const;
type Power = keyof typeof POWERS;

/** Makes the role unless it is there, takes what is more than a login from it, and sets its password. */
export const ensureLogin = async (client: Client, role: string, password: string): Promise<void> => {
  const name = escapeIdentifier(role);
  const powers = (await powersOf(client, role)) ?? (await create(client, name));
  // Only a superuser may even name some of these, so they are named only where there is something to take.
  const takeAway = powers.map((power) => POWERS[power]).join(' ');
  const verifier = escapeLiteral(await scramVerifier(password));
  await client.query(`ALTER ROLE ${name} LOGIN NOINHERIT ${takeAway} PASSWORD ${verifier}`);
  await leaveGroups(client, role);
};

const create = async (client: Client, name: string): Promise<Power[]> => {
  await client.query(`CREATE ROLE ${name}`);
  return [];
};

const powersOf = async (client: Client, role: string): Promise<Power[] | undefined> => {
  const columns = Object.keys(POWERS) as Power[];
  const { rows } = await client.query<Record<Power, boolean>>(
    `SELECT ${columns.join(', ')} FROM pg_roles WHERE rolname = $1`,
    [role],
  );
  const [found] = rows;
  return found && columns.filter((column) => found[column]);
};

/** A member can take on the rights of its group, whether it inherits them or not. */
const leaveGroups = async (client: Client, role: string): Promise<void> => {
  const { rows } = await client.query<{ group: string; grantor: string }>(
    `SELECT pg_get_userbyid(roleid) AS "group", pg_get_userbyid(grantor) AS grantor
     FROM pg_auth_members WHERE member = (SELECT oid FROM pg_roles WHERE rolname = $1)`,
    [role],
  );
  for (const { group, grantor } of rows) {
    await client.query(
      `REVOKE ${escapeIdentifier(group)} FROM ${escapeIdentifier(role)} GRANTED BY ${escapeIdentifier(grantor)}`,
    );
  }
};
