import type { BusAccess, PublicKeyFile, StreamDefinition } from '@nuqloud/contracts';
import { AppError } from '@nuqloud/platform';
import { monitorPermissions, provisionerPermissions, servicePermissions } from './permissions';
import type { BusPermissions } from './permissions';

export interface ServerConfigOptions {
  readonly keys: PublicKeyFile;
  readonly access: Readonly<Record<string, BusAccess>>;
  readonly streams: readonly StreamDefinition[];
  readonly host: string;
  readonly port: number;
  /** Monitoring has no authentication of its own: loopback, or a network that only dashboards reach. */
  readonly monitor?: { readonly host: string; readonly port: number };
  readonly storeDir: string;
}

/** The longest a tool may take to answer; NATS forgets after that to whom a reply may go. */
const REPLY_EXPIRES = '10m';

/** nats-server's configuration, the same for tests, demo and Compose; holds public keys only. */
export const serverConfig = (options: ServerConfigOptions): string => {
  const users = Object.entries(options.access).map(([service, access]) =>
    user(options.keys, service, servicePermissions(service, access, options.streams)),
  );
  users.push(user(options.keys, 'provisioner', provisionerPermissions));
  users.push(user(options.keys, 'monitor', monitorPermissions));
  return [
    'server_name: "nuqloud"',
    `host: ${quote(options.host)}`,
    `port: ${options.port}`,
    ...(options.monitor ? [`http: ${quote(`${options.monitor.host}:${options.monitor.port}`)}`] : []),
    `jetstream { store_dir: ${quote(options.storeDir)} }`,
    'accounts {',
    '  BUS {',
    '    jetstream: enabled',
    '    users: [',
    ...users.map((line) => `      ${line}`),
    '    ]',
    '  }',
    '}',
    '',
  ].join('\n');
};

const user = (keys: PublicKeyFile, name: string, permissions: BusPermissions): string => {
  const nkey = keys.services[name]?.nats;
  if (!nkey) {
    throw new AppError(
      'KEYS.MISSING',
      `public.json has no key of ${name}; \`npm run nuqloud -- keys init\` makes it.`,
    );
  }
  const reply = permissions.mayReply ? `, allow_responses: { max: 1, expires: "${REPLY_EXPIRES}" }` : '';
  return `{ nkey: ${nkey}, permissions: { publish: ${allow(permissions.publish)}, subscribe: ${allow(permissions.subscribe)}${reply} } } # ${name}`;
};

/** An empty allow list would mean "everything" to the server, so it is spelled as a denial. */
const allow = (subjects: readonly string[]): string =>
  subjects.length > 0 ? `{ allow: [${subjects.map(quote).join(', ')}] }` : '{ deny: [">"] }';

const quote = (value: string): string => JSON.stringify(value);
