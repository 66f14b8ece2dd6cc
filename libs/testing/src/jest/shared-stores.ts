import type { RunningPostgres } from '../stores/start-postgres';
import type { RunningStore } from '../stores/local-store';

/** What one jest run shares between its test files; they learn of it through these variables of the environment. */
export const POSTGRES_VARIABLE = 'NUQLOUD_TEST_POSTGRES_URL';
export const REDIS_VARIABLE = 'NUQLOUD_TEST_REDIS_URL';

export interface SharedStores {
  postgres: RunningPostgres;
  redis: RunningStore;
}

const KEY = Symbol.for('nuqloud.testing.shared-stores');
const place = globalThis as { [KEY]?: SharedStores };

/** jest loads set-up and tear-down as separate modules in one process: the global object is all they share. */
export function rememberSharedStores(stores: SharedStores): void {
  place[KEY] = stores;
}

export function sharedStores(): SharedStores | undefined {
  return place[KEY];
}

/** The URL that the global set-up left. @throws when it did not run for this kind of test file */
export function sharedUrl(variable: string): string {
  const url = process.env[variable];
  if (url) return url;
  throw new Error(
    `${variable} is not set: only *.int-spec.ts and *.e2e-spec.ts files have stores, and only under jest.`,
  );
}
