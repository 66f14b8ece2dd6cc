import path from 'node:path';
import { parseArgs } from 'node:util';
import { Environment, SERVICES } from '@nuqloud/contracts';
import { initKeys, parseEnvironment } from '@nuqloud/platform';
import { UsageError } from '../command';
import type { Command } from '../command';
import { handOutKeys } from '../hand-out-keys';
import { writeNatsConfig } from '../write-nats-config';

export const KeysConfig = Environment.pick({ KEYS_DIR: true });

export const keysInitCommand: Command = {
  name: 'keys init',
  summary: 'makes the keys that are missing in KEYS_DIR, and nats.conf for a nats-server that knows them',
  details: [
    'KEYS_DIR                   the folder; each service needs its own file of it and public.json',
    "--hand-out DIR            also puts into DIR/<service> that service's own file and public.json, and nats.conf into DIR/nats",
    '--nats-host HOST           address nats-server listens on (0.0.0.0)',
    '--nats-port PORT           (4222)',
    '--nats-monitor-host HOST   address of its monitoring page, which asks for no password (127.0.0.1)',
    '--nats-monitor-port PORT   (8222)',
    '--nats-store-dir DIR       where it keeps the streams (/data)',
  ],
  async run({ args, env, print }) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        'hand-out': { type: 'string' },
        'nats-host': { type: 'string', default: '0.0.0.0' },
        'nats-port': { type: 'string', default: '4222' },
        'nats-monitor-host': { type: 'string', default: '127.0.0.1' },
        'nats-monitor-port': { type: 'string', default: '8222' },
        'nats-store-dir': { type: 'string', default: '/data' },
      },
    });
    const listen = {
      host: values['nats-host'],
      port: port('--nats-port', values['nats-port']),
      monitor: {
        host: values['nats-monitor-host'],
        port: port('--nats-monitor-port', values['nats-monitor-port']),
      },
      storeDir: values['nats-store-dir'],
    };
    const keysDir = path.resolve(parseEnvironment(KeysConfig, env).KEYS_DIR);
    const made = await initKeys(keysDir);
    print(made.length > 0 ? `Made keys: ${made.join(', ')}` : 'Made keys: all were there already');
    const natsConfig = await writeNatsConfig(keysDir, listen);
    print(`Wrote ${natsConfig}`);
    const handOut = values['hand-out'];
    if (handOut === undefined) return;
    await handOutKeys(keysDir, path.resolve(handOut));
    print(`Handed out to ${SERVICES.join(', ')} and nats in ${path.resolve(handOut)}`);
  },
};

const port = (flag: string, text: string): number => {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= 65_535) return value;
  throw new UsageError(`${flag} must be a port, 1 to 65535.`);
};
