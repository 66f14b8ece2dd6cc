import { Controller, Module } from '@nestjs/common';
import type { INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { ChatEvent, DEAD_LETTER_STREAM, DeadLetter } from '@nuqloud/contracts';
import type { ChatEventBody } from '@nuqloud/contracts';
import { BusServer, DeadLetterQueue, OnStream } from '@nuqloud/messaging';
import type { Bus } from '@nuqloud/messaging';
import { AppError, createLogger, nestLogger } from '@nuqloud/platform';
import { eventually, startTestBed } from '@nuqloud/testing';
import type { TestBed } from '@nuqloud/testing';
import { nanos } from 'nats';

let bed: TestBed;
let ingress: Bus;
let provisioner: Bus;
let queue: DeadLetterQueue;
let app: INestMicroservice;

/** Rooms whose messages the agent of this test cannot take, and what it took. */
const refused = new Set<string>();
const taken: string[] = [];

@Controller()
class TakeChat {
  @OnStream(ChatEvent)
  take(event: ChatEventBody): void {
    if (refused.has(event.room)) throw new AppError('TEST.REFUSED', 'It cannot be held.');
    taken.push(event.room);
  }
}

@Module({ controllers: [TakeChat] })
class AgentModule {}

beforeAll(async () => {
  bed = await startTestBed();
  const bus = await bed.busOf('agent');
  ingress = await bed.busOf('talk-ingress');
  provisioner = await bed.busOf('provisioner');
  queue = await DeadLetterQueue.open(provisioner.connection);
  const logger = createLogger({ service: 'agent', level: 'silent' });
  app = await NestFactory.createMicroservice<MicroserviceOptions>(AgentModule, {
    strategy: new BusServer({ bus, logger, version: '0.1.0', description: 'test' }),
    logger: nestLogger(logger),
  });
  await app.listen();
});

afterAll(async () => {
  await app.close();
  await bed.close();
});

let lastId = 0;
/** Somebody writes in that room. @returns the place in the stream */
const write = async (room: string): Promise<number> => {
  const messageId = String(++lastId);
  const event: ChatEventBody = {
    ...{ v: 1, instance: 'default', bot: 'nuq', room, roomName: 'Team', kind: 'message', messageId },
    ...{ receivedAt: new Date().toISOString(), text: 'canary text', mentions: [], attestation: 'none' },
    actor: { type: 'users', id: 'alice', name: 'canary name', moderator: false },
  };
  const options = { messageId: `${room}:${messageId}`, timeoutMs: 2_000 };
  return (await ingress.append(ChatEvent, { instance: 'default', room }, event, options)).sequence;
};

const letterOf = (sequence: number) =>
  eventually(async () => (await queue.list()).find((letter) => letter.sequence === sequence), {
    describe: `a dead letter of ${sequence}`,
    deadlineMs: 15_000,
  });

const isTaken = (room: string) =>
  eventually(() => taken.includes(room), { describe: `a message of ${room}` });

it('messages taken one by one leave no ways back into the other account in the server', async () => {
  for (let n = 0; n < 40; n += 1) await write('counted');
  await eventually(() => taken.filter((room) => room === 'counted').length === 40, { describe: 'all taken' });
  // At most that of the request which waits for the next message.
  await eventually(async () => (await waysBack()) <= 1, { describe: 'the ways back being forgotten' });
});

const waysBack = async (): Promise<number> => {
  const response = await fetch(`http://127.0.0.1:${bed.nats.monitorPort}/accountz?acc=STREAMS`);
  const { account_detail: account } = (await response.json()) as {
    account_detail: { responses?: Record<string, unknown> };
  };
  return Object.keys(account.responses ?? {}).length;
};

describe('a message that can never be handled', () => {
  it('is listed with its reason, does not hold up the next, and can be put back', async () => {
    refused.add('refused');
    const sequence = await write('refused');
    await write('next');
    await isTaken('next');
    const letter = await letterOf(sequence);
    expect(letter).toMatchObject({
      id: `CHAT-${sequence}`,
      state: 'waiting',
      service: 'agent',
      contract: 'chat.in.v1',
      subject: 'chat.in.default.refused',
      deliveries: 1,
      code: 'TEST.REFUSED',
      reason: 'It cannot be held.',
    });

    refused.clear();
    const replayedAs = await queue.replay(letter);
    await isTaken('refused');
    expect(await letterOf(sequence)).toMatchObject({ state: 'replayed' });
    expect(replayedAs).toMatch(/^CHAT-\d+$/);
    await expect(queue.replay(await letterOf(sequence))).rejects.toMatchObject({
      code: 'DEAD_LETTER.REPLAYED',
    });
    // As a second administrator would, who had listed it before.
    expect(await queue.replay(letter)).toBe(replayedAs);
    expect(taken.filter((room) => room === 'refused')).toHaveLength(1);
  });

  it('is a dead letter once more when it is refused once more', async () => {
    refused.add('hopeless');
    const letter = await letterOf(await write('hopeless'));
    const replayedAs = await queue.replay(letter);
    expect(await letterOf(Number(replayedAs.split('-')[1]))).toMatchObject({
      id: replayedAs,
      state: 'waiting',
      correlationId: letter.correlationId,
    });
  });

  it.each([
    ['no JSON', '{"canary', /not JSON/],
    ['of another shape', '{"v":1,"canary":"canary"}', /wrong shape: kind/],
    ['of another room than its subject', undefined, /"room" .* is not that of its subject/],
  ])('may be one that is %s, of which nothing is quoted', async (_what, body, reason) => {
    const elsewhere = JSON.stringify({
      ...{ v: 1, instance: 'default', bot: 'nuq', room: 'other', roomName: 'canary', kind: 'left' },
      ...{ receivedAt: new Date().toISOString(), random: 'x'.repeat(64) },
    });
    const { seq } = await ingress.connection
      .jetstream()
      .publish('chat.in.default.unreadable', body ?? elsewhere);
    const letter = await letterOf(seq);
    expect(letter).toMatchObject({
      code: 'BUS.INVALID_REQUEST',
      reason: expect.stringMatching(reason) as string,
    });
    expect(JSON.stringify(await queue.list())).not.toContain('canary');
  });

  it('keeps its place until it is noted', async () => {
    refused.add('unnoted');
    const { streams } = await provisioner.connection.jetstreamManager({ checkAPI: false });
    await streams.update(DEAD_LETTER_STREAM, { max_msg_size: 10 });
    const sequence = await write('unnoted');
    await write('behind');
    await streams.update(DEAD_LETTER_STREAM, { max_msg_size: -1 });
    await letterOf(sequence);
    await isTaken('behind');
  });

  it('is listed as gone when its stream does not keep it any more', async () => {
    refused.add('forgotten');
    const letter = await letterOf(await write('forgotten'));
    await write('last');
    await isTaken('last');
    const { streams } = await provisioner.connection.jetstreamManager({ checkAPI: false });
    await streams.update('CHAT', { max_msgs: 1 });
    expect(await letterOf(letter.sequence)).toMatchObject({ state: 'gone' });
    await expect(queue.replay(letter)).rejects.toMatchObject({ code: 'DEAD_LETTER.GONE' });
    await streams.update('CHAT', { max_msgs: -1, max_age: nanos(3 * 24 * 60 * 60 * 1_000) });
  });
});

it('what a service writes in the name of another is no dead letter', async () => {
  const before = await queue.list();
  const [known] = before;
  if (!known) throw new Error('There is no dead letter.');
  const { id, state, ...letter } = known;
  expect([id, state]).toEqual([`CHAT-${letter.sequence}`, expect.any(String)]);
  const agent = await bed.busOf('agent');
  const options = { messageId: 'forged', timeoutMs: 2_000 };
  const forged = { ...letter, sequence: 9_999, service: 'confirmation' } as const;
  await agent.append(DeadLetter, { service: 'agent' }, forged, options);
  expect(await queue.list()).toEqual(before);
});
