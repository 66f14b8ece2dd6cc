import { randomUUID } from 'node:crypto';
import { AUDIT_STREAM, AuditRecord, AuditRecordBody, OPERATORS, SERVICES, STREAMS } from '@nuqloud/contracts';
import { ensureStreams } from '@nuqloud/messaging';
import type { Bus } from '@nuqloud/messaging';
import { eventually, startTestBed } from '@nuqloud/testing';
import type { TestBed } from '@nuqloud/testing';
import { AckPolicy, DiscardPolicy, nanos, RetentionPolicy, StorageType } from 'nats';

let bed: TestBed;

beforeAll(async () => {
  bed = await startTestBed();
});

afterAll(() => bed.close());

describe('the audit', () => {
  const messages = async (): Promise<number> => {
    const { connection } = await bed.busOf('monitor');
    const reply = await connection.request(`$JS.API.STREAM.INFO.${AUDIT_STREAM}`);
    return reply.json<{ state: { messages: number } }>().state.messages;
  };
  /** Every test writes records that it knows again. */
  const recordOf = (service: string) =>
    ({
      ...{ v: 1, id: randomUUID(), at: new Date().toISOString(), instance: 'default', bot: 'nuq' },
      ...{ room: 'x7k2m9pq', message: '1567', person: 'users/alice', service },
      ...(service === 'confirmation'
        ? { kind: 'confirmation.answered', confirmation: randomUUID(), verdict: 'approved' }
        : { kind: 'nextcloud.written', attempt: randomUUID(), status: 204 }),
    }) as AuditRecordBody;
  const append = (bus: Bus, service: string, messageId: string = randomUUID()) =>
    bus.append(AuditRecord, { service }, recordOf(service), { messageId, timeoutMs: 1_000 });

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

  it('never holds a record that an agent made JetStream put there', async () => {
    const { connection: provisioner } = await bed.busOf('provisioner');
    const { consumers } = await provisioner.jetstreamManager({ checkAPI: false });
    const found: string[] = [];
    const inbox = '_INBOX_provisioner.audit';
    provisioner.subscribe(inbox, { callback: (_failure, message) => found.push(message.string()) });
    const reader = { durable_name: 'reader', deliver_subject: inbox, ack_policy: AckPolicy.None };
    await consumers.add(AUDIT_STREAM, reader);
    const own = await messages();
    await eventually(() => found.length === own, { describe: 'the records so far being read' });

    // Whoever may ask says where the answer goes, and JetStream, unlike a user, may answer anywhere. The answer's words
    // are its own or talk-ingress's: this is noise, which whoever reads the audit tells from a record by its shape.
    const { connection: agent } = await bed.busOf('agent');
    const { connection: ingress } = await bed.busOf('talk-ingress');
    ingress.publish('chat.in.default.x7k2m9pq', JSON.stringify({ v: 1, kind: 'message', text: 'approved' }));
    await ingress.flush();
    for (const subject of ['$JS.API.CONSUMER.INFO.CHAT.agent', '$JS.API.CONSUMER.MSG.NEXT.CHAT.agent']) {
      agent.publish(subject, '{"batch":1,"expires":1000000000}', { reply: 'audit.confirmation' });
    }
    await eventually(() => found.length === own + 2, { describe: 'the noise' });
    const isRecord = (text: string) => AuditRecordBody.safeParse(JSON.parse(text)).success;
    expect(found.map(isRecord)).toEqual([...Array<boolean>(own).fill(true), false, false]);
  });
});
