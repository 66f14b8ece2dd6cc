// Prisma ships its schema engine as WebAssembly for bundlers; Node loads it by hand.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import { PrismaPGlite } from 'pglite-prisma-adapter';

const WASM = new URL(
  'schema_engine_bg.wasm',
  import.meta.resolve('@prisma/schema-engine-wasm/schema_engine_bg'),
);

/**
 * A schema engine on the database of that adapter: an empty PostgreSQL in this process's memory unless given.
 * @param {{ path: string, content: string }} schema
 */
export const startEngine = async ({ path, content }, database = new PrismaPGlite(new PGlite())) => {
  const { instance } = await WebAssembly.instantiate(await readFile(fileURLToPath(WASM)), {
    './schema_engine_bg.js': bindings,
  });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  const options = { datamodels: [[path, content]] };
  return bindings.SchemaEngine.new(options, () => undefined, bindMigrationAwareSqlAdapterFactory(database));
};
