import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import {
  ATTESTATION_AUDIENCE,
  ATTESTATION_TYPE,
  AttestationClaims,
  CHAT_STREAM,
  ChatEventBody,
} from '@nuqloud/contracts';
import type { Bus } from '@nuqloud/messaging';
import { TokenVerifier } from '@nuqloud/platform';
import { eventually } from '@nuqloud/testing';
import type { RunningTalkIngress } from '../src';
import { IngressBed, SECRETS, sendWebhook, talkRandom } from './ingress-bed';
import { TALK_PAYLOADS } from './talk-payloads';

let bed: IngressBed;
let ingress: RunningTalkIngress;
let agent: Bus;
let monitor: Bus;

beforeAll(async () => {
  bed = await IngressBed.start('http://127.0.0.1:9');
  ingress = await bed.startIngress();
  agent = await bed.stores.busOf('agent');
  monitor = await bed.stores.busOf('monitor');
});
afterAll(() => bed.close());

/** The next event of the stream, read and acknowledged as the agent does. */
const nextEvent = async (): Promise<ChatEventBody> => {
  const consumer = await agent.connection.jetstream().consumers.get(CHAT_STREAM, 'agent');
  const message = await consumer.next({ expires: 5_000 });
  if (!message) throw new Error('The stream has no further event.');
  await message.ackAck();
  return ChatEventBody.parse(message.json());
};

const storedEvents = async (): Promise<number> => {
  const reply = await monitor.connection.request(`$JS.API.STREAM.INFO.${CHAT_STREAM}`);
  return reply.json<{ state: { messages: number } }>().state.messages;
};

const textOf = (event: ChatEventBody): string => ('text' in event ? event.text : '');
const BACK = { describe: 'what it is after the return of the bus', deadlineMs: 15_000 };

let lastId = 5_000;
/** A message of Alice with an id of its own. */
const messageOf = (text: string, id = ++lastId): string =>
  JSON.stringify({
    type: 'Create',
    actor: { type: 'Person', id: 'users/alice', name: 'Alice Adams' },
    object: {
      type: 'Note',
      id: String(id),
      name: 'message',
      content: JSON.stringify({ message: text, parameters: [] }),
    },
    target: { type: 'Collection', id: 'x7k2m9pq', name: 'Team' },
  });

describe('a webhook', () => {
  it('is answered with an empty object after its event was stored with an attestation', async () => {
    const answer = await sendWebhook(ingress.url, { body: TALK_PAYLOADS.messageTalk21 });
    expect([answer.status, await answer.text()]).toEqual([200, '{}']);

    const event = await nextEvent();
    expect(event).toMatchObject({
      v: 1,
      instance: 'default',
      bot: 'nuq',
      room: 'x7k2m9pq',
      kind: 'message',
      messageId: '1567',
      text: 'Hi @Bob Brown, see @all',
      actor: { type: 'users', id: 'alice', moderator: true },
    });
    if (event.kind !== 'message') throw new Error('no message');
    const claims = await new TokenVerifier(bed.stores.publicKeys).verify(event.attestation, {
      type: ATTESTATION_TYPE,
      issuer: 'talk-ingress',
      audience: ATTESTATION_AUDIENCE,
      claims: AttestationClaims,
    });
    expect(claims).toMatchObject({
      sub: 'users/alice',
      room: 'x7k2m9pq',
      bot: 'nuq',
      message: '1567',
      replyTo: '1560',
    });
    expect(Math.abs(claims.iat - Date.now() / 1_000)).toBeLessThan(60);
  });

  it.each(['fileTalk22', 'systemUserAdded', 'like', 'undo', 'join', 'leave'] as const)(
    'is stored: %s',
    async (payload) => {
      expect((await sendWebhook(ingress.url, { body: TALK_PAYLOADS[payload] })).status).toBe(200);
      const kinds = {
        fileTalk22: 'attachment',
        systemUserAdded: 'system',
        like: 'reaction_added',
        undo: 'reaction_removed',
        join: 'joined',
        leave: 'left',
      };
      expect((await nextEvent()).kind).toBe(kinds[payload]);
    },
  );

  it('that comes twice is stored once, also by another replica', async () => {
    const other = await bed.startIngress();
    const before = await storedEvents();
    const webhook = { body: messageOf('once'), random: talkRandom() };
    for (const url of [ingress.url, ingress.url, other.url])
      expect((await sendWebhook(url, webhook)).status).toBe(200);
    // Talk signs the same message anew for a second registration of the bot.
    expect((await sendWebhook(ingress.url, { body: webhook.body })).status).toBe(200);
    expect(await storedEvents()).toBe(before + 1);
    await nextEvent();
  });

  it('to two bots is two events', async () => {
    const body = messageOf('hello both');
    await sendWebhook(ingress.url, { body });
    await sendWebhook(ingress.url, { body, bot: 'helper', secret: SECRETS.helper });
    expect([(await nextEvent()).bot, (await nextEvent()).bot]).toEqual(['nuq', 'helper']);
  });

  it('about a reaction is stored each time it is given', async () => {
    const before = await storedEvents();
    for (let n = 0; n < 2; n++) await sendWebhook(ingress.url, { body: TALK_PAYLOADS.like });
    const replayed = { body: TALK_PAYLOADS.like, random: talkRandom() };
    for (let n = 0; n < 2; n++) await sendWebhook(ingress.url, replayed);
    expect(await storedEvents()).toBe(before + 3);
    for (let n = 0; n < 3; n++) await nextEvent();
  });

  it.each(['application/json', 'text/plain', 'no type at all', ''])('is taken as %j', async (type) => {
    const before = await storedEvents();
    const answer = await sendWebhook(ingress.url, {
      body: messageOf('typed'),
      headers: { 'Content-Type': type },
    });
    expect(answer.status).toBe(200);
    expect(await storedEvents()).toBe(before + 1);
    await nextEvent();
  });

  it.each([
    ['an unknown type', '{"type":"Delete"}', 'UNKNOWN_TYPE'],
    ['no object', '[1]', 'UNKNOWN_TYPE'],
    ['an unreadable message', '{"type":"Create","actor":1}', 'UNREADABLE'],
    ["a bot's message", TALK_PAYLOADS.messageBot, 'FROM_A_BOT'],
    ["the bot's own reaction", TALK_PAYLOADS.likeByBot, 'FROM_A_BOT'],
  ])('with %s is answered 200, logged and not stored', async (_what, body, reason) => {
    const before = await storedEvents();
    const logs = bed.logged('webhook.ignored').length;
    expect((await sendWebhook(ingress.url, { body })).status).toBe(200);
    expect(bed.logged('webhook.ignored').slice(logs)).toEqual([
      expect.objectContaining({ reason, bot: 'nuq' }),
    ]);
    expect(await storedEvents()).toBe(before);
  });
});

describe('a webhook is refused', () => {
  const huge = 'x'.repeat(1024 * 1024 + 1);
  it.each([
    [404, 'UNKNOWN_BOT', { bot: 'nobody', body: messageOf('a') }],
    [404, 'UNKNOWN_BOT', { bot: 'Not%20A%20Slug', body: messageOf('a') }],
    [404, 'UNKNOWN_BOT', { bot: 'nobody', body: huge }],
    [413, 'TOO_LARGE', { body: huge, headers: { 'X-Nextcloud-Talk-Signature': 'wrong' } }],
    [401, 'BAD_SIGNATURE', { body: messageOf('forged'), secret: SECRETS.helper }],
    [401, 'BAD_SIGNATURE', { body: messageOf('forged'), headers: { 'X-Nextcloud-Talk-Signature': '' } }],
    [401, 'BAD_SIGNATURE', { body: messageOf('forged'), random: 'x'.repeat(63) }],
    [401, 'BAD_SIGNATURE', { body: 'not even JSON', secret: 'guess' }],
    [400, 'NOT_JSON', { body: '{"type":' }],
    [400, 'NOT_JSON', { body: '' }],
  ])('with %i and %s', async (status, reason, webhook) => {
    const before = await storedEvents();
    const logs = bed.logged('webhook.refused').length;
    const answer = await sendWebhook(ingress.url, webhook);
    expect([answer.status, await answer.json()]).toEqual([status, { error: reason }]);
    expect(bed.logged('webhook.refused').slice(logs)).toEqual([expect.objectContaining({ reason })]);
    expect(await storedEvents()).toBe(before);
  });

  it.each([
    ['said', 'Content-Length: 99999999\r\n\r\n{'],
    ['seen', `Transfer-Encoding: chunked\r\n\r\n${`10000\r\n${'x'.repeat(0x10000)}\r\n`.repeat(17)}`],
  ])('with 413, and the connection closed, as soon as its length is %s', async (how, rest) => {
    const socket = connect(Number(new URL(ingress.url).port), '127.0.0.1');
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    socket.write(`POST /webhook/talk/nuq HTTP/1.1\r\nHost: x\r\n${rest}`);
    await once(socket, 'close');
    expect(how).toMatch(/said|seen/);
    expect(received).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('without locking out those who sign rightly', async () => {
    for (let n = 0; n < 50; n++) await sendWebhook(ingress.url, { body: 'forged', secret: 'guess' });
    expect((await sendWebhook(ingress.url, { body: messageOf('rightly signed') })).status).toBe(200);
    await nextEvent();
    const metrics = await (await fetch(`${ingress.url}/metrics`)).text();
    expect(metrics).toMatch(/nuqloud_ingress_webhooks_total\{bot="nuq",outcome="BAD_SIGNATURE"\} [5-9]\d/);
  });
});

describe('talk-ingress', () => {
  it('takes the bots of the provision file that another replica applied', async () => {
    const provision = bed.provision().replaceAll('slug: helper', 'slug: newcomer');
    await (await bed.startWith(provision)).close();
    const body = messageOf('hello newcomer');
    const taken = async () =>
      (await sendWebhook(ingress.url, { body, bot: 'newcomer', secret: SECRETS.helper })).status === 200;
    await eventually(taken, { describe: 'the new bot being known', deadlineMs: 15_000 });
    expect((await nextEvent()).bot).toBe('newcomer');
  });

  it('changes nothing when the provision file is applied again, and reseals under a new key', async () => {
    const rows = () => bed.database.ingressBot.findMany({ orderBy: { bot: 'asc' } });
    const before = await rows();
    await (await bed.startWith(bed.provision())).close();
    expect(await rows()).toEqual(before);
    expect(before.map(({ instanceUrl }) => instanceUrl)).toContain('http://127.0.0.1:9');

    const otherKey = Buffer.alloc(32, 7).toString('base64');
    // Bots that the file does not name stay sealed with the former key, so such a start is refused by name.
    await expect(bed.startWith(bed.provision(['nuq']), otherKey)).rejects.toMatchObject({
      code: 'SECRETS.UNREADABLE',
    });
    await (await bed.startWith(bed.provision())).close();
    const after = await rows();
    expect(after.find(({ bot }) => bot === 'nuq')?.sealedSecret).not.toBe(
      before.find(({ bot }) => bot === 'nuq')?.sealedSecret,
    );
  });

  it('says that it lives and that it is ready', async () => {
    expect(await (await fetch(`${ingress.url}/healthz`)).json()).toEqual({ status: 'ok' });
    const ready = await fetch(`${ingress.url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: 'ok', checks: { bus: true, database: true, spool: true } },
    ]);
  });

  it('keeps what comes while the bus is away, and hands it on in order when it is back', async () => {
    const [dying, living] = [await bed.startIngress('taken-over'), await bed.startIngress('living')];
    const before = await storedEvents();
    await bed.stores.nats.kill();
    const texts = ['unheard 1', 'unheard 2', 'unheard 3'];
    for (const text of texts) {
      expect((await sendWebhook(living.url, { body: messageOf(text) })).status).toBe(200);
    }
    expect((await sendWebhook(dying.url, { body: messageOf('left behind') })).status).toBe(200);
    expect((await fetch(`${living.url}/readyz`)).status).toBe(200);
    expect(await (await fetch(`${living.url}/metrics`)).text()).toMatch(
      /^nuqloud_ingress_webhooks_total\{bot="nuq",outcome="SPOOLED"\} 3/m,
    );
    await dying.close(); // does not wait for the bus

    await bed.stores.nats.restart();
    const heard: string[] = [];
    while (heard.length < texts.length) heard.push(textOf(await eventually(nextEvent, BACK)));
    expect(heard).toEqual(texts);
    await eventually(async () => (await readdir(bed.spoolDir('living'))).length === 1, {
      describe: 'an empty spool',
    });
    await bed.startIngress('taken-over');
    expect(textOf(await eventually(nextEvent, BACK))).toBe('left behind');
    expect(await storedEvents()).toBe(before + 4);
    expect((await sendWebhook(living.url, { body: messageOf('heard') })).status).toBe(200);
    expect(textOf(await nextEvent())).toBe('heard');
  });

  it('answers 503, and is not ready, while neither bus nor spool can take it', async () => {
    const replica = await bed.startIngress('broken');
    const before = await storedEvents();
    await rm(bed.spoolDir('broken'), { recursive: true });
    await bed.stores.nats.kill();
    const answer = await sendWebhook(replica.url, { body: messageOf('unheard') });
    expect([answer.status, await answer.json()]).toEqual([503, { error: 'NOT_STORED' }]);
    expect(bed.logged('webhook.not-stored')).toEqual([expect.objectContaining({ code: 'SPOOL.UNUSABLE' })]);
    expect((await fetch(`${replica.url}/readyz`)).status).toBe(503);

    await bed.stores.nats.restart();
    await eventually(async () => (await fetch(`${replica.url}/readyz`)).status === 200, BACK);
    await eventually(async () => (await storedEvents()) === before, BACK);
    expect((await sendWebhook(replica.url, { body: messageOf('heard again') })).status).toBe(200);
    expect(textOf(await eventually(nextEvent, BACK))).toBe('heard again');
  });

  it('wrote neither a text nor a secret into its log', () => {
    const log = bed.logs.join('');
    expect(log).toContain('webhook.stored');
    for (const secret of [
      'canary',
      'Alice',
      'rightly',
      'forged',
      'Hi ',
      'unheard',
      'left behind',
      bed.encryptionKey,
      'eyJ',
    ])
      expect(log).not.toContain(secret);
  });
});
