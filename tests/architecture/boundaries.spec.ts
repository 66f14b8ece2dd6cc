import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.resolve(__dirname, '../..');
const FOLDER = 'planted-for-the-boundary-test';

/** Imports that the boundaries forbid, each planted into a project of its own. */
const FORBIDDEN = [
  { what: 'a service of another service', project: 'services/talk-ingress', imported: '@nuqloud/agent' },
  { what: 'a tool service of the database', project: 'services/tool-files', imported: '@nuqloud/database' },
  {
    what: 'the emulator of our Nextcloud client',
    project: 'apps/nextcloud-emulator',
    imported: '@nuqloud/nextcloud',
  },
  { what: 'production code of the test library', project: 'libs/platform', imported: '@nuqloud/testing' },
  { what: 'the contracts of anything but zod', project: 'libs/contracts', imported: 'pino' },
];

const planted = (project: string) => path.join(ROOT, project, 'src', FOLDER);

const run = promisify(execFile);
const env = { ...process.env, NX_DAEMON: 'false', CI: 'true', FORCE_COLOR: '0' };

/** The rule needs Nx's project graph: without one it is skipped with a mere warning, so the graph is made first. */
const lint = async (files: readonly string[]): Promise<string> => {
  await run(process.execPath, [path.join(ROOT, 'node_modules/nx/dist/bin/nx.js'), 'show', 'projects'], {
    cwd: ROOT,
    env,
  });
  try {
    return (
      await run(process.execPath, [path.join(ROOT, 'node_modules/eslint/bin/eslint.js'), ...files], {
        cwd: ROOT,
        env,
      })
    ).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return stdout + stderr;
  }
};

const fileIn = (project: string) => path.join(planted(project), `${path.basename(project)}.ts`);

let output: string;

beforeAll(async () => {
  for (const { project, imported } of FORBIDDEN) {
    await mkdir(planted(project), { recursive: true });
    await writeFile(
      fileIn(project),
      `import * as planted from '${imported}';\nexport const kept = planted;\n`,
    );
  }
  try {
    output = await lint(FORBIDDEN.map(({ project }) => fileIn(project)));
  } finally {
    await Promise.all(FORBIDDEN.map(({ project }) => rm(planted(project), { recursive: true, force: true })));
  }
}, 180_000);

it.each(FORBIDDEN)('the lint refuses the import by $what', ({ project }) => {
  const [, complaint = ''] = output.split(fileIn(project));
  expect(complaint.split(ROOT)[0]).toContain('@nx/enforce-module-boundaries');
});
