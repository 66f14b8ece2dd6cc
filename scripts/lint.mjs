// ESLint over the whole repository, in one process: the types are read once.
import { spawnSync } from 'node:child_process';
import { buildProjects } from './setup.mjs';
import { npmProgram, ROOT, runStep } from './setup/run-command.mjs';

/** Nx keeps no process behind and asks nobody anything. */
const NX_ENVIRONMENT = { NX_DAEMON: 'false', CI: 'true' };

await buildProjects();
// Without Nx's project graph the rule on module boundaries is skipped with a mere warning, so the graph is made first.
await runStep('The project graph', npmProgram('nx'), ['show', 'projects'], NX_ENVIRONMENT);
const { status } = spawnSync(npmProgram('eslint'), ['.', '--max-warnings', '0'], {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, ...NX_ENVIRONMENT },
});
process.exitCode = status ?? 1;
