import { AppError } from '@nuqloud/platform';
import { DatabaseError } from 'pg';
import type { Client } from 'pg';
import { SCHEMA } from './grants';

const OWNERSHIP = `
SELECT current_database() AS database,
  pg_has_role(datdba, 'USAGE') AND pg_has_role(nspowner, 'USAGE') AS owned
FROM pg_database, pg_namespace WHERE datname = current_database() AND nspname = $1`;

const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Whoever does not own the database gets a mere warning where a REVOKE does nothing, so this is asked first.
 * @returns the name of the database
 */
export const requireOwner = async (client: Client): Promise<string> => {
  const { rows } = await client.query<{ database: string; owned: boolean }>(OWNERSHIP, [SCHEMA]);
  const [found] = rows;
  if (!found?.owned) throw notTheOwner(`it does not own the database and its schema ${SCHEMA}`);
  return found.database;
};

/** Words PostgreSQL's "permission denied" for the person who chose the login; leaves every other error alone. */
export const explainRefusal = (error: unknown): unknown =>
  error instanceof DatabaseError && error.code === INSUFFICIENT_PRIVILEGE
    ? notTheOwner(error.message, error)
    : error;

const notTheOwner = (reason: string, cause?: unknown): AppError =>
  new AppError(
    'DATABASE.OWNER',
    `The login in DATABASE_URL cannot set up the roles of the services: ${reason}. It needs to be made with ` +
      'CREATE ROLE … LOGIN CREATEROLE, and the database with CREATE DATABASE … OWNER that role.',
    { cause },
  );
