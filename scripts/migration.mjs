// Migrations from prisma/schema.prisma without a database and without a download: Prisma's schema engine as
// WebAssembly replays prisma/migrations into an in-memory PostgreSQL (PGlite) and compares.
//
//   node scripts/migration.mjs check          does the schema say what the migrations make? 0 yes, 2 no
//   node scripts/migration.mjs next <name>    writes what is missing as the next migration
//   node scripts/migration.mjs init           rewrites the first migration, while it is the only one
//
// `--schema <file>` takes another file than prisma/schema.prisma.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  LOCK,
  LOCK_FILE,
  migrationNames,
  migrationsList,
  readSchema,
  SCHEMA,
  sqlFile,
} from './migration-files.mjs';
import { startEngine } from './schema-engine.mjs';

class Refused extends Error {}

/** The SQL that leads from there to the schema; undefined when there is nothing to do. */
const difference = async (from, schemaFile) => {
  const schema = readSchema(schemaFile);
  const engine = await startEngine(schema);
  const { exitCode, stdout } = await engine.diff({
    from,
    to: { tag: 'schemaDatamodel', files: [schema] },
    script: true,
    exitCode: true,
    filters: { externalTables: [], externalEnums: [] },
  });
  return exitCode === 0 ? undefined : stdout;
};

const sinceMigrations = (schemaFile) => difference({ tag: 'migrations', ...migrationsList() }, schemaFile);

const write = (name, sql) => {
  mkdirSync(path.dirname(sqlFile(name)), { recursive: true });
  writeFileSync(sqlFile(name), `${sql.trim()}\n`);
  writeFileSync(LOCK_FILE, LOCK);
  console.log(`Wrote ${path.relative(process.cwd(), sqlFile(name))}`);
};

const timestamp = () => new Date().toISOString().replace(/\D/g, '').slice(0, 14);

const commands = {
  async check(schemaFile) {
    const sql = await sinceMigrations(schemaFile);
    if (sql === undefined) {
      console.log('The migrations make what the schema says.');
      return 0;
    }
    console.log(`No migration makes this (\`node scripts/migration.mjs next <name>\` writes one):\n\n${sql}`);
    return 2;
  },

  async next(schemaFile, name) {
    if (!/^[a-z][a-z0-9_]{0,60}$/.test(name ?? '')) {
      throw new Refused('`next` needs a name for the migration: lower-case letters, digits and _.');
    }
    if (migrationNames().length === 0) throw new Refused('There is no first migration yet: `init` makes it.');
    const sql = await sinceMigrations(schemaFile);
    if (sql === undefined) console.log('Nothing to do: the migrations make what the schema says.');
    else write(`${timestamp()}_${name}`, sql);
    return 0;
  },

  async init(schemaFile) {
    const existing = migrationNames();
    if (existing.length > 1) {
      throw new Refused('Later migrations build on the first one, so it stays as it is: use `next <name>`.');
    }
    // The name is kept, so that a database which went through the earlier text refuses this one by name.
    const [name = `${timestamp()}_init`] = existing;
    write(name, await difference({ tag: 'empty' }, schemaFile));
    return 0;
  },
};

const main = async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { schema: { type: 'string', default: SCHEMA } },
  });
  const [command = '', ...rest] = positionals;
  if (!Object.hasOwn(commands, command)) {
    throw new Refused(`Say what to do: ${Object.keys(commands).join(', ')}.`);
  }
  return commands[command](path.resolve(values.schema), ...rest);
};

// PGlite would keep the process alive.
main().then(
  (code) => process.exit(code),
  (error) => {
    console.error(error instanceof Refused || error.code ? error.message : error);
    process.exit(1);
  },
);
