import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { npmProgram, ROOT, runStep } from './run-command.mjs';

const GENERATED = path.join(ROOT, 'libs/database/src/generated');
/** Stands beside the generated client and names what it was generated from. */
const STAMP = path.join(GENERATED, '.generated-from');
const SOURCES = ['prisma/schema.prisma', 'prisma.config.ts', 'node_modules/prisma/package.json'];

/** Prisma asks for a native engine that `generate` does not use, and would download it. */
const NO_ENGINE = ['/bin/true', '/usr/bin/true'].find((program) => existsSync(program));

function fingerprint() {
  const hash = createHash('sha256');
  SOURCES.forEach((source) => hash.update(readFileSync(path.join(ROOT, source))));
  return hash.digest('hex');
}

/** `prisma generate` where the schema is newer than the client, by content. */
export async function generateClient(progress) {
  const wanted = fingerprint();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return;
  progress('Generating the database client (prisma generate)');
  await runStep('prisma generate', npmProgram('prisma'), ['generate'], {
    PRISMA_SCHEMA_ENGINE_BINARY: NO_ENGINE,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  });
  writeFileSync(STAMP, wanted);
}
