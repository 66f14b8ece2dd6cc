import { BUS_ACCESS, OPERATORS, SERVICES, STREAMS } from '@nuqloud/contracts';
import { servicePermissions } from '@nuqloud/messaging';
import { eventually, startTestBed } from '@nuqloud/testing';
import type { TestBed } from '@nuqloud/testing';
import { Events } from 'nats';
import type { NatsConnection } from 'nats';

/** Written by hand, not derived from the access list: what each user may do, of everything there is to do. */
const SUBJECTS = [
  'chat.in.default.x7k2m9pq',
  'talk.post',
  'talk.prompt',
  'talk.prompt-fate',
  'talk.examine',
  'agent.examine-model',
  'confirm.propose',
  'confirm.answer',
  'confirm.claim',
  'tools.collect',
  'tools.exec.files',
  'tools.exec.other',
  'tools.act.files',
  'tools.act.other',
  'tools.changed.files',
  'tools.changed.other',
  'gateway.instance',
  'gateway.person',
  'gateway.history',
  'gateway.app-login',
  'gateway.app-state',
  'gateway.app-progress',
  'gateway.app-bot',
  'gateway.app-bot-removal',
  'gateway.examine',
  'audit.confirmation',
  'audit.nextcloud-gateway',
  'audit.agent',
  'dead-letter.agent',
  'dead-letter.confirmation',
  'dead-letter-replayed',
  '_INBOX_talk-ingress.x',
  '_INBOX_agent.x',
  '_INBOX_confirmation.x',
  '_INBOX_tool-files.x',
  '$JS.API.INFO',
  '$JS.API.STREAM.NAMES',
  '$JS.API.STREAM.LIST',
  '$JS.API.STREAM.INFO.CHAT',
  '$JS.API.STREAM.CREATE.CHAT',
  '$JS.API.STREAM.UPDATE.CHAT',
  '$JS.API.STREAM.PURGE.CHAT',
  '$JS.API.STREAM.DELETE.CHAT',
  '$JS.API.STREAM.MSG.GET.CHAT',
  '$JS.API.STREAM.INFO.AUDIT',
  '$JS.API.STREAM.CREATE.AUDIT',
  '$JS.API.STREAM.CREATE.SHADOW',
  '$JS.API.STREAM.UPDATE.AUDIT',
  '$JS.API.STREAM.PURGE.AUDIT',
  '$JS.API.STREAM.DELETE.AUDIT',
  '$JS.API.STREAM.MSG.GET.AUDIT',
  '$JS.API.STREAM.MSG.GET.DEAD_LETTERS',
  '$JS.API.STREAM.MSG.DELETE.AUDIT',
  '$JS.API.STREAM.SNAPSHOT.AUDIT',
  '$JS.API.STREAM.RESTORE.AUDIT',
  '$JS.API.DIRECT.GET.AUDIT',
  '$JS.API.CONSUMER.INFO.CHAT.agent',
  '$JS.API.CONSUMER.MSG.NEXT.CHAT.agent',
  '$JS.API.CONSUMER.DELETE.CHAT.agent',
  '$JS.API.CONSUMER.DURABLE.CREATE.CHAT.spy',
  '$JS.API.CONSUMER.CREATE.AUDIT',
  '$JS.API.CONSUMER.DURABLE.CREATE.AUDIT.spy',
  '$JS.API.CONSUMER.MSG.NEXT.AUDIT.spy',
  '$JS.ACK.CHAT.agent.1.1.1.1.0',
  '$JS.FC.anything',
  'something.else',
] as const;
type Subject = (typeof SUBJECTS)[number];

const MAY_PUBLISH: Readonly<Record<string, readonly Subject[]>> = {
  'talk-ingress': [
    'chat.in.default.x7k2m9pq',
    'gateway.history',
    'gateway.app-login',
    'gateway.app-state',
    'gateway.app-progress',
    'gateway.app-bot',
    'gateway.app-bot-removal',
  ],
  agent: [
    'talk.post',
    'confirm.propose',
    'confirm.answer',
    // For third parties' tools: the agent is the claimant of their approvals.
    'confirm.claim',
    'tools.collect',
    'tools.exec.files',
    'tools.exec.other',
    'tools.act.files',
    'tools.act.other',
    'gateway.instance',
    'gateway.person',
    'dead-letter.agent',
    '$JS.API.CONSUMER.INFO.CHAT.agent',
    '$JS.API.CONSUMER.MSG.NEXT.CHAT.agent',
    '$JS.ACK.CHAT.agent.1.1.1.1.0',
  ],
  confirmation: ['talk.prompt', 'talk.prompt-fate', 'audit.confirmation'],
  'nextcloud-gateway': ['audit.nextcloud-gateway'],
  'tool-files': ['confirm.claim', 'tools.changed.files'],
  monitor: [
    'talk.examine',
    'agent.examine-model',
    'tools.collect',
    'gateway.instance',
    'gateway.examine',
    '$JS.API.INFO',
    '$JS.API.STREAM.INFO.CHAT',
    '$JS.API.STREAM.INFO.AUDIT',
    '$JS.API.CONSUMER.INFO.CHAT.agent',
  ],
  provisioner: [
    // Puts back what was given up.
    'chat.in.default.x7k2m9pq',
    'dead-letter-replayed',
    '$JS.API.INFO',
    '$JS.API.STREAM.INFO.CHAT',
    '$JS.API.STREAM.CREATE.CHAT',
    '$JS.API.STREAM.UPDATE.CHAT',
    '$JS.API.STREAM.MSG.GET.CHAT',
    '$JS.API.STREAM.INFO.AUDIT',
    '$JS.API.STREAM.CREATE.AUDIT',
    '$JS.API.STREAM.CREATE.SHADOW',
    '$JS.API.STREAM.UPDATE.AUDIT',
    '$JS.API.STREAM.MSG.GET.DEAD_LETTERS',
    '$JS.API.CONSUMER.INFO.CHAT.agent',
    '$JS.API.CONSUMER.DURABLE.CREATE.CHAT.spy',
    '$JS.API.CONSUMER.CREATE.AUDIT',
    '$JS.API.CONSUMER.DURABLE.CREATE.AUDIT.spy',
  ],
};

const MAY_SUBSCRIBE: Readonly<Record<string, readonly Subject[]>> = {
  'talk-ingress': ['talk.post', 'talk.prompt', 'talk.prompt-fate', 'talk.examine', '_INBOX_talk-ingress.x'],
  agent: ['agent.examine-model', 'tools.changed.files', 'tools.changed.other', '_INBOX_agent.x'],
  confirmation: ['confirm.propose', 'confirm.answer', 'confirm.claim', '_INBOX_confirmation.x'],
  'nextcloud-gateway': [
    'gateway.instance',
    'gateway.person',
    'gateway.history',
    'gateway.app-login',
    'gateway.app-state',
    'gateway.app-progress',
    'gateway.app-bot',
    'gateway.app-bot-removal',
    'gateway.examine',
  ],
  'tool-files': ['tools.collect', 'tools.exec.files', 'tools.act.files', '_INBOX_tool-files.x'],
  monitor: [],
  provisioner: [],
};

/** Reads everything, or somebody else's replies: nobody may. */
const GREEDY = [
  '>',
  '*.>',
  '_INBOX.>',
  '_INBOX_agent.>',
  'chat.>',
  'chat.in.*.*',
  'tools.>',
  'confirm.>',
  'talk.>',
  'audit.>',
  'audit.*',
  '$JS.>',
  '$SYS.>',
];
const OWN: Readonly<Record<string, readonly string[]>> = { agent: ['_INBOX_agent.>'] };

let bed: TestBed;

beforeAll(async () => {
  bed = await startTestBed();
});

afterAll(() => bed.close());

/** Subjects that the server refuses this user for an operation, by its own words. */
const refusedBy = async (
  connection: NatsConnection,
  operation: 'Publish' | 'Subscription',
  act: () => void,
): Promise<Set<string>> => {
  const refused = new Set<string>();
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type !== Events.Error || typeof status.permissionContext !== 'object') continue;
      const { operation: what, subject } = status.permissionContext;
      if (what === operation.toLowerCase()) refused.add(subject);
    }
  })();
  act();
  // The server answers in order: after the flush every refusal is on its way, the last one perhaps not yet dispatched.
  await connection.flush();
  await connection.flush();
  await connection.close();
  return refused;
};

describe.each(Object.keys(MAY_PUBLISH))('%s', (service) => {
  it('may publish what its work needs and nothing else', async () => {
    const bus = await bed.busOf(service);
    const refused = await refusedBy(bus.connection, 'Publish', () => {
      for (const subject of SUBJECTS) bus.connection.publish(subject, '{}');
    });
    expect(SUBJECTS.filter((subject) => !refused.has(subject))).toEqual(MAY_PUBLISH[service]);
  });

  it('may subscribe to what its work needs and to nobody else’s', async () => {
    const bus = await bed.busOf(service);
    const all = [...SUBJECTS, ...GREEDY];
    const refused = await refusedBy(bus.connection, 'Subscription', () => {
      for (const subject of all) bus.connection.subscribe(subject, { callback: () => undefined });
    });
    const allowed = [...(MAY_SUBSCRIBE[service] ?? []), ...(OWN[service] ?? [])];
    expect(all.filter((subject) => !refused.has(subject))).toEqual(allowed);
  });
});

it('everybody of the installation is in this table', () => {
  const all = [...SERVICES, ...OPERATORS].sort();
  expect(Object.keys(MAY_PUBLISH).sort()).toEqual(all);
  expect(Object.keys(MAY_SUBSCRIBE).sort()).toEqual(all);
});

it('nobody hears what it may publish itself', () => {
  // A message is answered wherever its reply subject says: whoever could send itself one might then publish anywhere.
  expect(overlap('tools.exec.*', 'tools.exec.files') && overlap('_INBOX_agent.>', '_INBOX_agent.x')).toBe(
    true,
  );
  for (const service of SERVICES) {
    const { publish, subscribe } = servicePermissions(service, BUS_ACCESS[service], STREAMS);
    const both = publish.filter((sent) => subscribe.some((heard) => overlap(sent, heard)));
    expect([service, both]).toEqual([service, []]);
  }
});

/** Whether some subject matches both patterns. */
const overlap = (one: string, other: string): boolean => {
  const [left, right] = [one.split('.'), other.split('.')];
  const wild = Math.min(...[left, right].map((tokens) => tokens.indexOf('>')).filter((at) => at >= 0));
  const fixed = Math.min(wild, left.length, right.length);
  if (wild === Infinity && left.length !== right.length) return false;
  return left.slice(0, fixed).every((token, at) => [token, right[at]].includes('*') || token === right[at]);
};

it('a reply may be given once, and to nobody who did not ask', async () => {
  const [agent, tool] = [await bed.busOf('agent'), await bed.busOf('tool-files')];
  const replies: string[] = [];
  tool.connection.subscribe('tools.collect', {
    callback: (_failure, message) => {
      message.respond('first');
      message.respond('second');
      tool.connection.publish('_INBOX_agent.unasked', 'unasked');
    },
  });
  agent.connection.subscribe('_INBOX_agent.asked', {
    callback: (_failure, message) => replies.push(message.string()),
  });
  agent.connection.subscribe('_INBOX_agent.unasked', {
    callback: (_failure, message) => replies.push(message.string()),
  });
  await Promise.all([agent.connection.flush(), tool.connection.flush()]);
  agent.connection.publish('tools.collect', '{}', { reply: '_INBOX_agent.asked' });
  await eventually(() => replies.length > 0, { describe: 'the reply' });
  await tool.connection.flush();
  await agent.connection.flush();
  expect(replies).toEqual(['first']);
});

it('nobody without a key of the installation gets in', async () => {
  const stranger = await startTestBed();
  try {
    const { natsSeed } = await stranger.keysOf('agent');
    const { connect, nkeyAuthenticator } = await import('nats');
    const options = { servers: bed.natsUrl, reconnect: false };
    await expect(
      connect({ ...options, authenticator: nkeyAuthenticator(Buffer.from(natsSeed)) }),
    ).rejects.toThrow(/Authorization/i);
    await expect(connect(options)).rejects.toThrow(/Authorization/i);
    await expect(connect({ ...options, user: 'agent', pass: 'agent' })).rejects.toThrow(/Authorization/i);
  } finally {
    await stranger.close();
  }
});
