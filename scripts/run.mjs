// node scripts/run.mjs <command> [arguments]: set-up, then the program behind one of the npm commands.
import { existsSync } from 'node:fs';
import Module from 'node:module';
import path from 'node:path';
import { setUpOrExit } from './setup.mjs';
import { ROOT } from './setup/run-command.mjs';

const launcher = (command) => ({
  main: 'apps/launcher/dist/main.js',
  first: [command],
  setUp: { stores: true },
});

const COMMANDS = {
  demo: launcher('demo'),
  stack: launcher('stack'),
  bench: launcher('bench'),
  emulator: {
    main: 'apps/nextcloud-emulator/dist/main.js',
    first: [],
    setUp: { build: 'apps/nextcloud-emulator' },
  },
  nuqloud: {
    main: 'apps/nuqloud/dist/main.js',
    first: [],
    setUp: { build: 'apps/nuqloud', quiet: true },
  },
  docs: {
    main: 'apps/reference/dist/main.js',
    first: [],
    setUp: { build: 'apps/reference', quiet: true },
  },
};

const [name, ...rest] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name] : undefined;
if (command === undefined) {
  process.stderr.write(`Usage: node scripts/run.mjs <${Object.keys(COMMANDS).join('|')}> [arguments]\n`);
  process.exit(2);
}

await setUpOrExit(command.setUp);
const main = path.join(ROOT, command.main);
if (!existsSync(main)) {
  process.stderr.write(
    `${command.main} is missing although the build succeeded: this is a mistake in the repository.\n`,
  );
  process.exit(1);
}
// The program takes over this process: signals, exit code and terminal are its own, and no process stands between.
process.argv = [process.argv[0], main, ...command.first, ...rest];
Module.runMain(main);
