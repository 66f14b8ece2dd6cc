import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findMigrations, readMigrations } from './migration-files';

describe('migration files', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'nuqloud-image-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const addMigration = (name: string, sql: string) => {
    const folder = path.join(root, 'prisma/migrations', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'migration.sql'), sql);
    writeFileSync(path.join(root, 'prisma/migrations/migration_lock.toml'), 'provider = "postgresql"\n');
  };

  it.each([
    'libs/database/src/migrations',
    'libs/database/dist/migrations',
    'node_modules/@nuqloud/database/dist',
  ])('are found from %s of an installation', (folder) => {
    addMigration('20260101000000_init', '');
    expect(findMigrations(path.join(root, folder))).toBe(path.join(root, 'prisma/migrations'));
  });

  it('are missed with a clear error', () => {
    expect(() => findMigrations(root)).toThrow(/No folder above .* has prisma.migrations/);
  });

  it("are read oldest first, with Prisma's checksum, and nothing else is", async () => {
    addMigration('20260202000000_second', 'SELECT 2;\n');
    addMigration('20260101000000_init', 'SELECT 1;\n');
    addMigration('notes', 'no migration');
    expect(await readMigrations(findMigrations(root))).toEqual([
      { name: '20260101000000_init', sql: 'SELECT 1;\n', checksum: sha256('SELECT 1;\n') },
      { name: '20260202000000_second', sql: 'SELECT 2;\n', checksum: sha256('SELECT 2;\n') },
    ]);
  });
});

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
