import { execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

const ROOT = path.resolve(__dirname, '../..');
const ENV = { ...process.env, NX_DAEMON: 'false', CI: 'true', FORCE_COLOR: '0' };

/** Imports that the boundaries forbid. Each text is linted as if it stood in that file. */
const FORBIDDEN = [
  {
    what: 'a service of another service',
    file: 'services/talk-ingress/src/index.ts',
    imported: '@nuqloud/agent',
  },
  {
    what: 'a tool service of the database',
    file: 'services/tool-files/src/index.ts',
    imported: '@nuqloud/database',
  },
  {
    what: 'the emulator of our Nextcloud client',
    file: 'apps/nextcloud-emulator/src/index.ts',
    imported: '@nuqloud/nextcloud',
  },
  {
    what: 'production code of the test library',
    file: 'libs/platform/src/index.ts',
    imported: '@nuqloud/testing',
  },
  { what: 'the contracts of anything but zod', file: 'libs/contracts/src/index.ts', imported: 'pino' },
];

/** What domain code may not know, though the project may. */
const IMPURE = [
  '@nestjs/common',
  '@nuqloud/database',
  '@nuqloud/messaging',
  '@nuqloud/tool-sdk',
  '@prisma/client',
  '@redis/client',
  'nats',
  'openai',
  'pg',
  'redis',
  '../adapters/prisma-outbox',
].map((imported) => ({
  what: imported,
  file: 'services/talk-ingress/src/domain/compose-parts.ts',
  imported,
}));

const ALLOWED = [
  {
    what: 'a service of the contracts',
    file: 'services/tool-files/src/index.ts',
    imported: '@nuqloud/contracts',
  },
  { what: 'a spec of the test library', file: 'services/agent/test/stage.ts', imported: '@nuqloud/testing' },
];

interface Complaint {
  ruleId: string | null;
  message: string;
}

let complaints: Complaint[][];

beforeAll(async () => {
  // Without Nx's project graph the rule is skipped with a mere warning, so the graph is made first.
  const nx = path.join(ROOT, 'node_modules/nx/dist/bin/nx.js');
  await promisify(execFile)(process.execPath, [nx, 'show', 'projects'], { cwd: ROOT, env: ENV });
  const child = spawn(process.execPath, [path.join(__dirname, 'lint-texts.mjs')], {
    cwd: ROOT,
    env: ENV,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const files = [...FORBIDDEN, ...ALLOWED, ...IMPURE].map(({ file, imported }) => ({
    file: path.join(ROOT, file),
    source: `import * as planted from '${imported}';\nexport const kept = planted;\n`,
  }));
  child.stdin.end(JSON.stringify(files));
  complaints = JSON.parse(await text(child.stdout)) as Complaint[][];
}, 180_000);

const complaintsOf = (rule: string, index: number) =>
  complaints[index]?.filter(({ ruleId }) => ruleId === rule);

const boundaryComplaints = (index: number) => complaintsOf('@nx/enforce-module-boundaries', index);

it.each(FORBIDDEN.map((entry, index) => ({ ...entry, index })))(
  'the lint refuses the import by $what',
  ({ index }) => {
    expect(boundaryComplaints(index)).toHaveLength(1);
  },
);

it.each(ALLOWED.map((entry, index) => ({ ...entry, index })))(
  'the lint accepts the import by $what',
  ({ index }) => {
    expect(boundaryComplaints(FORBIDDEN.length + index)).toEqual([]);
  },
);

it.each(IMPURE.map((entry, index) => ({ ...entry, index })))(
  'the lint refuses the import of $what in domain code',
  ({ index }) => {
    const at = FORBIDDEN.length + ALLOWED.length + index;
    expect(complaintsOf('no-restricted-imports', at)).toHaveLength(1);
  },
);
