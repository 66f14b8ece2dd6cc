import type { DatabaseService } from '@nuqloud/contracts';
import { withSession } from '../owner-session';
import { SCHEMA } from '../roles/grants';
import { TABLE_OWNERS } from '../table-owners';

/** Rights that a role lacks, and such as it should not have: `agent_turns: INSERT`. */
export interface InspectedRole {
  readonly lacks: readonly string[];
  readonly hasTooMuch: readonly string[];
}

interface Right {
  readonly table: string;
  readonly right: string;
  readonly granted: boolean;
}

const NEEDED = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];

/** Every table that is there, also such as we do not know, with every right. */
const RIGHTS = `
SELECT relname AS "table", "right", has_table_privilege(pg_class.oid, "right") AS granted
FROM pg_class, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) AS "right"
WHERE relnamespace = $1::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')
ORDER BY relname, "right"`;

/**
 * What the role of a service may do, as PostgreSQL tells whoever logs in with it.
 * @param url with the service's login
 * @throws AppError DATABASE.UNREACHABLE, also for a wrong password
 */
export const inspectRole = (url: string, service: DatabaseService): Promise<InspectedRole> =>
  withSession(url, async (client) => {
    const { rows } = await client.query<Right>(RIGHTS, [SCHEMA]);
    const schema = await client.query<{ creates: boolean }>(
      `SELECT has_schema_privilege($1, 'CREATE') AS creates`,
      [SCHEMA],
    );
    const isOwn = ({ table }: Right) => ownerOf(table) === service;
    const isNeeded = (entry: Right) => isOwn(entry) && NEEDED.includes(entry.right);
    return {
      lacks: rows.filter((entry) => isNeeded(entry) && !entry.granted).map(inWords),
      hasTooMuch: [
        ...rows.filter((entry) => !isNeeded(entry) && entry.granted).map(inWords),
        ...(schema.rows[0]?.creates ? [`the schema ${SCHEMA}: CREATE`] : []),
      ],
    };
  });

const ownerOf = (table: string): string | undefined =>
  (TABLE_OWNERS as Readonly<Record<string, string>>)[table];

const inWords = ({ table, right }: Right): string => `${table}: ${right}`;
