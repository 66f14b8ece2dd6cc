import { spawn } from 'node:child_process';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');

/** Something a person has to put right; its message says what and how. */
export class SetUpFailed extends Error {}

/** The path of a program that npm installed. */
export const npmProgram = (name) => path.join(ROOT, 'node_modules/.bin', name);

/**
 * Runs a program in the repository's root and keeps what it says to itself.
 * @returns {Promise<{ succeeded: boolean, output: string }>}
 */
export function runQuietly(command, args, environment = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    child.once('error', (error) => resolve({ succeeded: false, output: error.message }));
    child.once('close', (code) =>
      resolve({ succeeded: code === 0, output: Buffer.concat(chunks).toString() }),
    );
  });
}

/** The same for a step of the set-up: it succeeds, or its output is shown and the set-up ends. */
export async function runStep(what, command, args, environment) {
  const { succeeded, output } = await runQuietly(command, args, environment);
  if (!succeeded) throw new SetUpFailed(`${output.trim()}\n\n${what} failed; its output stands above.`);
}
