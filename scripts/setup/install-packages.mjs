import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, runStep } from './run-command.mjs';

/** npm writes this file when it has installed everything, and never before. */
const INSTALLED = 'node_modules/.package-lock.json';

const packagesOf = (lockfile) => JSON.parse(readFileSync(path.join(ROOT, lockfile), 'utf8')).packages;

/** Whether node_modules is what package-lock.json says, but for optional packages of other systems. */
function packagesAreCurrent() {
  if (!existsSync(path.join(ROOT, INSTALLED))) return false;
  const installed = packagesOf(INSTALLED);
  return Object.entries(packagesOf('package-lock.json'))
    .filter(([place, { optional }]) => place.includes('node_modules/') && !optional)
    .every(([place, { version, link }]) => {
      const found = installed[place];
      return found !== undefined && found.version === version && found.link === link;
    });
}

/** `npm ci` where it is needed. */
export async function installPackages(progress) {
  if (packagesAreCurrent()) return;
  progress('Installing packages (npm ci), about a minute');
  // NODE_ENV=production would leave out what builds and tests need.
  await runStep('npm ci', 'npm', ['ci', '--include=dev', '--loglevel=error']);
}
