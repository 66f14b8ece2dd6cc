import { randomUUID } from 'node:crypto';
import { AUDIT_STREAM, AuditRecord, OPERATORS, SERVICES, STREAMS } from '@nuqloud/contracts';
import type { AuditRecordBody } from '@nuqloud/contracts';
import { ensureStreams, requireStream } from '@nuqloud/messaging';
import type { Bus } from '@nuqloud/messaging';
import { AuditSigner, AuditVerifier } from '@nuqloud/platform';
import { eventually, startTestBed } from '@nuqloud/testing';
import type { TestBed } from '@nuqloud/testing';
import { AckPolicy, DiscardPolicy, nanos, RetentionPolicy, StorageType } from 'nats';

let bed: TestBed;
let verifier: AuditVerifier;

beforeAll(async () => {
  bed = await startTestBed();
  verifier = new AuditVerifier(bed.publicKeys);
});

afterAll(() => bed.close());

describe('the audit', () => {
  const messages = async (): Promise<number> => {
    const { connection } = await bed.busOf('monitor');
    const reply = await connection.request(`$JS.API.STREAM.INFO.${AUDIT_STREAM}`);
    return reply.json<{ state: { messages: number } }>().state.messages;
  };
  /** A new one of that service; nobody else has records of their own to write. */
  const recordOf = (service: string): AuditRecordBody => ({
    ...{ v: 1, id: randomUUID(), at: new Date().toISOString(), instance: 'default', bot: 'nuq' },
    ...{ room: 'x7k2m9pq', message: '1567', person: 'users/alice' },
    ...(service === 'nextcloud-gateway'
      ? { service, kind: 'nextcloud.written', attempt: randomUUID(), status: 204 }
      : {
          service: 'confirmation',
          kind: 'confirmation.answered',
          confirmation: randomUUID(),
          verdict: 'approved',
        }),
  });
  /** Signed with the keys of whoever's connection it is. */
  const append = async (bus: Bus, service: string, messageId: string = randomUUID()) => {
    const signer = new AuditSigner((await bed.keysOf(bus.service)).signing);
    const record = signer.sign(recordOf(service));
    return bus.append(AuditRecord, { service }, record, { messageId, timeoutMs: 1_000 });
  };
  /** What is in the stream, and what comes; only who makes consumers can read it. */
  const readAll = async (durable: string): Promise<string[]> => {
    const { connection } = await bed.busOf('provisioner');
    const { consumers } = await connection.jetstreamManager({ checkAPI: false });
    const found: string[] = [];
    const inbox = `_INBOX_provisioner.${durable}`;
    connection.subscribe(inbox, { callback: (_failure, message) => found.push(message.string()) });
    await consumers.add(AUDIT_STREAM, {
      ...{ durable_name: durable, deliver_subject: inbox, ack_policy: AckPolicy.None },
    });
    const own = await messages();
    await eventually(() => found.length === own, { describe: 'the records so far being read' });
    return found;
  };
  const isGenuine = (text: string) => verifier.genuine(JSON.parse(text)) !== undefined;

  it('takes what its two writers record, each under its own name', async () => {
    const before = await messages();
    for (const service of ['confirmation', 'nextcloud-gateway']) {
      await append(await bed.busOf(service), service);
    }
    expect(await messages()).toBe(before + 2);
  });

  it.each([
    ['agent', 'confirmation'],
    ['agent', 'nextcloud-gateway'],
    ['agent', 'agent'],
    ['confirmation', 'nextcloud-gateway'],
    ['nextcloud-gateway', 'confirmation'],
    ['talk-ingress', 'confirmation'],
    ['tool-files', 'nextcloud-gateway'],
    ['provisioner', 'confirmation'],
    ['monitor', 'confirmation'],
  ])('takes nothing of %s in the name of %s', async (writer, name) => {
    const before = await messages();
    await expect(append(await bed.busOf(writer), name)).rejects.toMatchObject({
      code: expect.stringMatching(/^BUS\./),
    });
    expect(await messages()).toBe(before);
  });

  it.each([...SERVICES, ...OPERATORS])('loses nothing to %s, and gives it nothing to read', async (user) => {
    const before = await messages();
    expect(before).toBeGreaterThan(0);
    const { connection } = await bed.busOf(user);
    const { streams, consumers } = await connection.jetstreamManager({ checkAPI: false, timeout: 500 });
    const attempts: Promise<unknown>[] = [
      streams.purge(AUDIT_STREAM),
      streams.delete(AUDIT_STREAM),
      streams.deleteMessage(AUDIT_STREAM, 1),
      streams.getMessage(AUDIT_STREAM, { seq: 1 }),
    ];
    // Who makes streams and consumers is the one exception: it could make the audit shorter, or a way to read it.
    if (user !== 'provisioner') {
      attempts.push(
        streams.update(AUDIT_STREAM, { max_age: nanos(1_000) }),
        streams.add({ name: 'SHADOW', subjects: ['talk.>'] }),
        consumers.add(AUDIT_STREAM, { durable_name: 'spy', ack_policy: AckPolicy.None }),
      );
    }
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.map(({ status }) => status)).toEqual(attempts.map(() => 'rejected'));
    expect(await messages()).toBe(before);
  });

  it('holds a record once, also when it is sent again', async () => {
    const bus = await bed.busOf('confirmation');
    const id = randomUUID();
    const first = await append(bus, 'confirmation', id);
    const again = await append(bus, 'confirmation', id);
    expect([first.duplicate, again.duplicate, again.sequence]).toEqual([false, true, first.sequence]);
  });

  it('shows a writer that it is there, or that it is not, and takes nothing for that', async () => {
    const bus = await bed.busOf('confirmation');
    const required = () => requireStream(bus, AuditRecord, { service: 'confirmation' });
    const before = await messages();
    await required();
    expect(await messages()).toBe(before);

    const { connection } = await bed.busOf('provisioner');
    const { streams } = await connection.jetstreamManager({ checkAPI: false });
    const { config } = await streams.info(AUDIT_STREAM);
    await streams.update(AUDIT_STREAM, { subjects: ['audit-elsewhere.*'] });
    await expect(required()).rejects.toMatchObject({
      code: 'BUS.NOT_SET_UP',
      message: 'The bus has no stream AUDIT; `npm run nuqloud -- init` makes it.',
    });
    await streams.add({ name: 'OTHER', subjects: ['audit.confirmation'] });
    await expect(required()).rejects.toMatchObject({ code: 'BUS.NOT_SET_UP' });
    await streams.update('OTHER', { subjects: ['other'] });
    await streams.update(AUDIT_STREAM, config);
    await required();
  });

  it('is made as defined, and made again without a loss', async () => {
    const before = await messages();
    const { connection } = await bed.busOf('provisioner');
    await ensureStreams(connection, STREAMS);
    const { streams } = await connection.jetstreamManager({ checkAPI: false });
    expect((await streams.info(AUDIT_STREAM)).config).toMatchObject({
      subjects: ['audit.*'],
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.New,
      max_age: nanos(90 * 24 * 60 * 60 * 1_000),
    });
    expect(await messages()).toBe(before);
  });

  it('never holds what JetStream answers an agent', async () => {
    const found = await readAll('reader');
    const own = found.length;
    // Whoever may ask says where the answer goes: JetStream's own words, or a message of talk-ingress.
    const { connection: agent } = await bed.busOf('agent');
    const { connection: ingress } = await bed.busOf('talk-ingress');
    await ingress.request(
      'chat.in.default.x7k2m9pq',
      JSON.stringify({ v: 1, kind: 'message', text: 'approved' }),
    );
    for (const subject of ['$JS.API.CONSUMER.INFO.CHAT.agent', '$JS.API.CONSUMER.MSG.NEXT.CHAT.agent']) {
      agent.publish(subject, '{"batch":1,"expires":1000000000}', { reply: 'audit.confirmation' });
    }
    await agent.request('$JS.API.CONSUMER.INFO.CHAT.agent', '');
    await append(await bed.busOf('confirmation'), 'confirmation');
    await eventually(() => found.length > own, { describe: 'a record after it' });
    expect(found.map(isGenuine)).toEqual(Array<boolean>(own + 1).fill(true));
  });

  it('can be purged by nobody, not even by who makes it', async () => {
    const { connection: monitor } = await bed.busOf('monitor');
    for (const { name } of STREAMS) {
      const reply = await monitor.request(`$JS.API.STREAM.INFO.${name}`);
      expect(reply.json()).toMatchObject({ config: { deny_purge: true, deny_delete: true } });
    }
  });

  it('is not deceived by a tool service that answers an agent with a record', async () => {
    const found = await readAll('deceived');
    const [own, genuine] = [found.length, found.filter(isGenuine).length];
    // The server lets a tool service answer wherever the agent says, in words of its own.
    const { connection: tool } = await bed.busOf('tool-files');
    const { signing } = await bed.keysOf('tool-files');
    const { kid } = (await bed.keysOf('confirmation')).signing;
    const forged = new AuditSigner(signing).sign(recordOf('confirmation'));
    const answers = [forged, { ...forged, kid }];
    tool.subscribe('tools.exec.files', {
      queue: 'tool-files',
      callback: (_failure, message) => message.respond(JSON.stringify(answers.pop())),
    });
    await tool.flush();
    const { connection: agent } = await bed.busOf('agent');
    for (let n = 1; n <= 2; n += 1) {
      agent.publish('tools.exec.files', '', { reply: 'audit.confirmation' });
      await eventually(() => found.length === own + n, { describe: 'the forged record' });
    }
    expect(found.slice(own).every((text) => AuditRecord.body.safeParse(JSON.parse(text)).success)).toBe(true);
    expect(found.filter(isGenuine)).toHaveLength(genuine);
  });
});
