// Everything CI runs. Without arguments: all checks, then all tests. With arguments: jest alone, with them.
// The last line of its output is always `N passed, N failed`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setUp } from './setup.mjs';
import { npmProgram, ROOT, runQuietly, SetUpFailed } from './setup/run-command.mjs';

const RESULTS = path.join(ROOT, 'test-results/jest.json');

const BUILD = [npmProgram('tsc'), ['-b', 'tsconfig.build.json']];
/** These read what the build wrote, and none of them needs another. */
const CHECKS = {
  format: [npmProgram('prettier'), ['--check', '.']],
  typecheck: [npmProgram('tsc'), ['-p', 'tsconfig.specs.json']],
  lint: [process.execPath, ['scripts/lint.mjs']],
};

const jestArguments = process.argv.slice(2);
const everything = jestArguments.length === 0;
let passed = 0;
let failed = 0;

// Tests start NATS servers of their own, each with the permissions under test: one that runs is of no use to them.
delete process.env.NATS_URL;

try {
  await setUp({ stores: true, build: false });
  if (everything) {
    await runCheck('build', BUILD);
    await Promise.all(Object.entries(CHECKS).map(([name, check]) => runCheck(name, check)));
  }
  runJest();
} catch (error) {
  failed += 1;
  process.stderr.write(`${error instanceof SetUpFailed ? error.message : error.stack}\n`);
}
process.exitCode = failed > 0 ? 1 : 0;
process.stdout.write(`${passed} passed, ${failed} failed\n`);

async function runCheck(name, [command, args]) {
  const { succeeded, output } = await runQuietly(command, args);
  if (succeeded) passed += 1;
  else failed += 1;
  process.stdout.write(succeeded ? `✔ ${name}\n` : `✖ ${name}\n${output.trim()}\n\n`);
}

function runJest() {
  mkdirSync(path.dirname(RESULTS), { recursive: true });
  rmSync(RESULTS, { force: true });
  const args = ['--ci', '--maxWorkers=2', '--json', `--outputFile=${RESULTS}`, ...jestArguments];
  const { status } = spawnSync(npmProgram('jest'), args, { cwd: ROOT, stdio: 'inherit' });
  const failedBefore = failed;
  if (existsSync(RESULTS)) count(JSON.parse(readFileSync(RESULTS, 'utf8')));
  // No result at all, or a failure outside of any test, as in the set-up or the tear-down.
  if (status !== 0 && failed === failedBefore) failed += 1;
}

function count(results) {
  passed += results.numPassedTests;
  failed += results.numFailedTests + results.numRuntimeErrorTestSuites;
  const skipped = results.numPendingTests + results.numTodoTests;
  if (!everything || skipped === 0) return;
  failed += skipped;
  process.stdout.write(`✖ ${skipped} tests were skipped: a test that does not run shows nothing.\n`);
}
