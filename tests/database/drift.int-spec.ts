import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');
const SCHEMA = path.join(ROOT, 'prisma/schema.prisma');

const check = (schema: string) =>
  spawnSync(process.execPath, ['scripts/migration.mjs', 'check', '--schema', schema], {
    cwd: ROOT,
    encoding: 'utf8',
  });

/** Loading the engine and replaying every migration takes seconds, on a busy machine many. */
jest.setTimeout(180_000);

describe('schema and migrations', () => {
  it('agree', () => {
    expect(check(SCHEMA)).toMatchObject({ status: 0, stderr: '' });
  });

  it('are found to disagree when the schema gains a field', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'nuqloud-drift-'));
    try {
      const schema = path.join(folder, 'schema.prisma');
      const text = readFileSync(SCHEMA, 'utf8').replace(/^model AgentTurn \{$/m, '$&\n  mood String?');
      writeFileSync(schema, text);
      const { status, stdout } = check(schema);
      expect(stdout).toMatch(/ADD COLUMN\s+"mood" TEXT/);
      expect(status).toBe(2);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
