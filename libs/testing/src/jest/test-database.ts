import { randomBytes } from 'node:crypto';

import { databases } from '../stores/start-postgres';
import { POSTGRES_VARIABLE, sharedUrl } from './shared-stores';

export interface TestDatabase {
  name: string;
  /** With the credentials of the server's administrator. */
  url: string;
  /** Removes it; for `afterAll`. */
  drop(): Promise<void>;
}

/** An empty database of its own for a test file, on the PostgreSQL that this jest run shares. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { createDatabase, dropDatabase } = databases(sharedUrl(POSTGRES_VARIABLE));
  const name = `nuqloud_test_${randomBytes(6).toString('hex')}`;
  const url = await createDatabase(name);
  return { name, url, drop: () => dropDatabase(name) };
}
