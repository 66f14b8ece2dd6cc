import { parseArgs } from 'node:util';
import { Environment } from '@nuqloud/contracts';
import { parseEnvironment } from '@nuqloud/platform';
import type { Command } from '../command';
import { initInstallation } from '../init-installation';

export const InitConfig = Environment.pick({ DATABASE_URL: true, NATS_URL: true, KEYS_DIR: true });

export const initCommand: Command = {
  name: 'init',
  summary: 'prepares database and bus: migrations, one role per service, streams; may be repeated',
  details: [
    "DATABASE_URL  with the login of the database's owner",
    'NATS_URL      a nats-server that runs with KEYS_DIR/nats.conf',
    'KEYS_DIR      made by `keys init`',
  ],
  async run({ args, env, print }) {
    parseArgs({ args: [...args], options: {} });
    const { DATABASE_URL, NATS_URL, KEYS_DIR } = parseEnvironment(InitConfig, env);
    const { migrations } = await initInstallation({
      databaseUrl: DATABASE_URL,
      natsUrl: NATS_URL,
      keysDir: KEYS_DIR,
    });
    print(migrations.length > 0 ? `Migrated: ${migrations.join(', ')}` : 'Migrated: nothing to do');
    print('Database roles and streams are as this version needs them.');
  },
};
