import type { BusAccess, PublicKeyFile, StreamDefinition } from '@nuqloud/contracts';
import { AppError } from '@nuqloud/platform';
import { monitorPermissions, provisionerPermissions, servicePermissions } from './permissions';
import type { BusPermissions } from './permissions';
import { sharedSubjects } from './shared-subjects';
import type { SharedSubject } from './shared-subjects';

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
  const { keys, access, streams } = options;
  const services = Object.entries(access).map(([service, needs]) =>
    user(keys, service, servicePermissions(service, needs, streams)),
  );
  const shared = sharedSubjects(streams);
  return [
    'server_name: "nuqloud"',
    `host: ${quote(options.host)}`,
    `port: ${options.port}`,
    ...(options.monitor ? [`http: ${quote(`${options.monitor.host}:${options.monitor.port}`)}`] : []),
    `jetstream { store_dir: ${quote(options.storeDir)} }`,
    'accounts {',
    // Of its own, so that nothing said on the bus, not even an answer of JetStream, can reach JetStream's API.
    '  STREAMS {',
    '    jetstream: enabled',
    ...block('users', [user(keys, 'provisioner', provisionerPermissions(streams))]),
    ...block('exports', shared.map(exported)),
    '  }',
    '  BUS {',
    ...block('users', [...services, user(keys, 'monitor', monitorPermissions)]),
    ...block('imports', shared.map(imported)),
    '  }',
    '}',
    '',
  ].join('\n');
};

const block = (name: string, lines: readonly string[]): string[] => [
  `    ${name}: [`,
  ...lines.map((line) => `      ${line}`),
  '    ]',
];

const exported = (shared: SharedSubject): string =>
  shared.kind === 'service'
    ? `{ service: ${quote(shared.subject)}, response_type: ${shared.responses}, accounts: [BUS] }`
    : `{ stream: ${quote(shared.subject)}, accounts: [BUS] }`;

const imported = ({ kind, subject }: SharedSubject): string =>
  `{ ${kind}: { account: STREAMS, subject: ${quote(subject)} } }`;

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
