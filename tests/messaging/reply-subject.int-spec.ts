import { Controller, Module } from '@nestjs/common';
import type { INestMicroservice, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import {
  AnswerConfirmation,
  AUDIT_STREAM,
  CHAT_STREAM,
  ClaimApproval,
  CollectToolProviders,
  PostToRoom,
} from '@nuqloud/contracts';
import type {
  AnswerConfirmationReply,
  ClaimApprovalReply,
  CollectToolProvidersReply,
  PostToRoomReply,
} from '@nuqloud/contracts';
import { BusServer, OnRequest } from '@nuqloud/messaging';
import { createLogger, nestLogger } from '@nuqloud/platform';
import { eventually, startTestBed } from '@nuqloud/testing';
import type { TestBed } from '@nuqloud/testing';
import type { NatsConnection } from 'nats';

const handled: string[] = [];

@Controller()
class Confirmation {
  @OnRequest(AnswerConfirmation)
  answer(): AnswerConfirmationReply {
    handled.push('confirm.answer');
    return { v: 1, verdict: 'ordinary', open: false };
  }

  @OnRequest(ClaimApproval)
  claim(): ClaimApprovalReply {
    handled.push('confirm.claim');
    return { v: 1, phase: 'settle' };
  }
}

@Controller()
class TalkIngress {
  @OnRequest(PostToRoom)
  post(): PostToRoomReply {
    handled.push('talk.post');
    return { v: 1, duplicate: false, parts: 1 };
  }
}

@Controller()
class Files {
  @OnRequest(CollectToolProviders)
  collect(): CollectToolProvidersReply {
    handled.push('tools.collect');
    return { v: 1, provider: 'files', tools: [] };
  }
}

@Module({ controllers: [Confirmation] })
class ConfirmationModule {}
@Module({ controllers: [TalkIngress] })
class TalkIngressModule {}
@Module({ controllers: [Files] })
class FilesModule {}

let bed: TestBed;
let monitor: NatsConnection;
const apps: INestMicroservice[] = [];

const serve = async (service: string, module: Type): Promise<void> => {
  const logger = createLogger({ service, level: 'silent' });
  const bus = await bed.busOf(service);
  const strategy = new BusServer({
    ...{ bus, logger, version: '0.1.0', description: 'test', params: { provider: 'files' } },
  });
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(module, {
    strategy,
    logger: nestLogger(logger),
  });
  await app.listen();
  apps.push(app);
};

const messagesIn = async (stream: string): Promise<number> => {
  const reply = await monitor.request(`$JS.API.STREAM.INFO.${stream}`);
  return reply.json<{ state: { messages: number } }>().state.messages;
};
const messages = async () => [await messagesIn(CHAT_STREAM), await messagesIn(AUDIT_STREAM)];

beforeAll(async () => {
  bed = await startTestBed();
  monitor = (await bed.busOf('monitor')).connection;
  await serve('confirmation', ConfirmationModule);
  await serve('talk-ingress', TalkIngressModule);
  await serve('tool-files', FilesModule);
  // Something to lose in each stream; the agent has had what there is for it.
  const ingress = await bed.busOf('talk-ingress');
  await ingress.connection.request('chat.in.default.x7k2m9pq', '{}');
  const confirmation = await bed.busOf('confirmation');
  await confirmation.connection.request('audit.confirmation', '{}');
  const { connection: agent } = await bed.busOf('agent');
  const consumer = await agent.jetstream().consumers.get(CHAT_STREAM, 'agent');
  await (await consumer.next())?.ackAck();
});

afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()));
  await bed.close();
});

const requests = [
  {
    user: 'agent',
    subject: 'confirm.answer',
    body: { v: 1, attestation: 'not looked at here', text: 'yes' },
  },
  {
    ...{ user: 'agent', subject: 'talk.post' },
    body: {
      ...{ v: 1, key: 'k', instance: 'default', bot: 'nuq', room: 'x7k2m9pq' },
      post: { type: 'message', text: 'hello' },
    },
  },
  {
    ...{ user: 'agent', subject: 'tools.collect' },
    body: { v: 1, instance: { id: 'default', nextcloudMajor: null, apps: [] } },
  },
  {
    ...{ user: 'tool-files', subject: 'confirm.claim' },
    body: { v: 1, phase: 'settle', claim: 'c'.repeat(16), outcome: { state: 'done', text: 'done' } },
  },
];
const elsewhere = [
  '$JS.API.STREAM.PURGE.AUDIT',
  '$JS.API.STREAM.PURGE.CHAT',
  '$JS.API.STREAM.DELETE.AUDIT',
  'audit.confirmation',
  '_INBOX.x',
];
const cases = requests.flatMap((request) => elsewhere.map((reply) => ({ ...request, reply })));

it.each(cases)(
  '$subject of $user with the reply subject $reply is not handled and changes no stream',
  async ({ user, subject, body, reply }) => {
    const before = await messages();
    handled.length = 0;
    const { connection } = await bed.busOf(user);
    connection.publish(subject, JSON.stringify(body), { reply });
    // The same with an inbox comes after it on the same connections, and shows that nothing else was wrong with it.
    const answer = await connection.request(subject, JSON.stringify(body));
    expect(answer.json()).toMatchObject({ v: 1 });
    expect(handled).toEqual([subject]);
    expect(await messages()).toEqual(before);
  },
);

/** What changes a stream or gives it away, whatever its body says; JetStream takes an empty one for most of them. */
const HARMFUL = [
  ...['DELETE', 'PURGE', 'UPDATE', 'SNAPSHOT', 'MSG.GET', 'MSG.DELETE'].flatMap((verb) => [
    `$JS.API.STREAM.${verb}.AUDIT`,
    `$JS.API.STREAM.${verb}.CHAT`,
  ]),
  '$JS.API.CONSUMER.DELETE.CHAT.agent',
  '$JS.API.CONSUMER.CREATE.AUDIT',
  '$JS.API.CONSUMER.DURABLE.CREATE.AUDIT.spy',
];

it('an agent cannot make JetStream answer where JetStream is listening', async () => {
  const before = await messages();
  const { connection: provisioner } = await bed.busOf('provisioner');
  const { connection: agent } = await bed.busOf('agent');
  const calls = await heardByJetStream();
  for (const reply of HARMFUL) {
    agent.publish('$JS.API.CONSUMER.INFO.CHAT.agent', '', { reply });
    // "There is none" is an empty message, which is just what a deletion asks for.
    agent.publish('$JS.API.CONSUMER.MSG.NEXT.CHAT.agent', '{"batch":1,"no_wait":true}', { reply });
    agent.publish('$JS.ACK.CHAT.agent.1.1.1.1.0', '+ACK', { reply });
    agent.publish('$JS.ACK.CHAT.agent.1.1.1.1.0', '+NXT {"batch":1,"no_wait":true}', { reply });
    agent.publish('chat.in.default.x7k2m9pq', '{}', { reply });
  }
  await agent.flush();
  // Answered after all of those, on the same account.
  await agent.request('$JS.API.CONSUMER.INFO.CHAT.agent', '');
  await provisioner.request('$JS.API.STREAM.INFO.AUDIT', '');
  expect(calls.filter((subject) => HARMFUL.includes(subject))).toEqual([]);
  expect(await messages()).toEqual(before);
});

it('a tool service that says what an agent wants, where it wants it, is not heard by JetStream either', async () => {
  const before = await messages();
  const { connection: agent } = await bed.busOf('agent');
  const { connection: tool } = await bed.busOf('tool-files');
  const calls = await heardByJetStream();
  const answered: string[] = [];
  const answering = tool.subscribe('tools.act.files', {
    queue: 'tool-files',
    callback: (_failure, message) => void (message.respond('{}'), answered.push(message.reply ?? '')),
  });
  await tool.flush();
  for (const reply of HARMFUL) agent.publish('tools.act.files', '', { reply });
  await eventually(() => answered.length === HARMFUL.length, { describe: 'the answers' });
  answering.unsubscribe();
  await tool.flush();
  await agent.request('$JS.API.CONSUMER.INFO.CHAT.agent', '');
  expect(calls.filter((subject) => HARMFUL.includes(subject))).toEqual([]);
  expect(await messages()).toEqual(before);
});

/** Subjects of the calls that JetStream gets from here on, by its own word; shown to work by one that it does get. */
const heardByJetStream = async (): Promise<readonly string[]> => {
  const calls: string[] = [];
  monitor.subscribe('$JS.EVENT.ADVISORY.API', {
    callback: (_failure, message) => calls.push(message.json<{ subject: string }>().subject),
  });
  await monitor.flush();
  const { connection: provisioner } = await bed.busOf('provisioner');
  await provisioner.request('$JS.API.CONSUMER.DURABLE.CREATE.CHAT.x', '{}');
  await eventually(() => calls.includes('$JS.API.CONSUMER.DURABLE.CREATE.CHAT.x'), {
    describe: 'a call that JetStream gets',
  });
  return calls;
};
