import type { PrismaClient } from '@nuqloud/database';
import { canariesIn } from './canary';
import type { Canary } from './canary';

/** Every table and column in which a canary stands, as `table.column: name`; with the owner's eyes. */
export const foundInDatabase = async (
  owner: PrismaClient,
  canaries: readonly Canary[],
): Promise<string[]> => {
  const tables = await owner.$queryRaw<{ name: string }[]>`
    SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables
    WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`;
  const found = new Set<string>();
  for (const { name } of tables) {
    const rows = await owner.$queryRawUnsafe<{ row: Record<string, unknown> }[]>(
      `SELECT to_jsonb(t) AS row FROM ${name} AS t`,
    );
    for (const { row } of rows)
      for (const [column, value] of Object.entries(row))
        for (const canary of canariesIn(JSON.stringify(value), canaries))
          found.add(`${name.replace('public.', '')}.${column}: ${canary}`);
  }
  return [...found].sort();
};
