// Everything that must be there before a command of this repository can run. Needs nothing but Node itself.
import { generateClient } from './setup/generate-client.mjs';
import { installPackages } from './setup/install-packages.mjs';
import { installStores } from './setup/install-stores.mjs';
import { npmProgram, runStep, SetUpFailed } from './setup/run-command.mjs';

const OLDEST_NODE = [20, 19];

/**
 * Idempotent: does what is missing and nothing else.
 * @param {object} options
 * @param {boolean} [options.stores] NATS, Redis and PostgreSQL, too
 * @param {boolean | string} [options.build] all projects (default), none, or the folder of one, with what it needs
 * @param {boolean} [options.quiet] says nothing where there is nothing to wait for
 * @throws {SetUpFailed} whose message is for a person
 */
export async function setUp({ stores = false, build = true, quiet = false } = {}) {
  const progress = (line) => process.stderr.write(`· ${line}\n`);
  checkNode();
  await installPackages(progress);
  if (stores) await installStores(progress);
  await generateClient(progress);
  if (build === false) return;
  if (!quiet) progress('Building');
  await buildProjects(build === true ? '.' : build);
}

/** One compiler for all projects, which rebuilds those whose sources have changed. */
export async function buildProjects(folder = '.') {
  await runStep('The build', npmProgram('tsc'), ['-b', `${folder}/tsconfig.build.json`]);
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new SetUpFailed(
    `Node ${OLDEST_NODE.join('.')} or newer is needed; this is ${process.versions.node}.`,
  );
}

/** Sets up; on failure shows why and ends the process. */
export async function setUpOrExit(options) {
  try {
    await setUp(options);
  } catch (error) {
    process.stderr.write(`${error instanceof SetUpFailed ? error.message : error.stack}\n`);
    process.exit(1);
  }
}
