import { startEmulator } from '../src';
import type { Emulator } from '../src';
import type { WebhookRecord } from '../src/talk/webhook-log';
import { startBotServer } from './bot-server';
import type { BotServer } from './bot-server';
import { callsTo, dataOf, ROOM } from './nextcloud-calls';
import { teamFixture } from './worlds';

describe('what a bot is told', () => {
  let bot: BotServer;
  let emulator: Emulator;
  const { control, talkAs } = callsTo(() => emulator.url);
  const say = (body: object) => control('POST', `/rooms/${ROOM}/messages`, body);
  const webhooks = async () => {
    const response = await control('GET', '/webhooks');
    return ((await response.json()) as { webhooks: WebhookRecord[] }).webhooks;
  };
  const errorCount = async () => {
    const list = await talkAs('admin', 'GET', '/v1/bot/admin');
    return (await dataOf<{ error_count: number }[]>(list))[0]?.error_count;
  };

  beforeAll(async () => {
    bot = await startBotServer();
    emulator = await startEmulator({ botTimeoutMs: 300 });
  });

  beforeEach(() => {
    const fixture = teamFixture('32.0.1', bot.url);
    const admin = { id: 'admin', password: 'admin-password', groups: ['admin'] };
    emulator.reset({ ...fixture, users: [...(fixture.users ?? []), admin] });
    bot.received.length = 0;
    bot.status = 200;
  });

  afterAll(async () => {
    await emulator.close();
    await bot.close();
  });

  it('is every message of users, guests and federated users, with their actors', async () => {
    await say({ user: 'alice', text: 'one' });
    await say({ user: 'guests/7f3a', name: 'users/alice', text: 'two' });
    await say({ user: 'federated_users/dana@other.example.org', text: 'three' });
    await say({ user: 'guests/new1', text: 'four' });
    expect(bot.activities().map(({ actor }) => actor)).toEqual([
      { type: 'Person', id: 'users/alice', name: 'Alice Adams', talkParticipantType: '1' },
      { type: 'Person', id: 'guests/7f3a', name: 'users/alice', talkParticipantType: '4' },
      {
        type: 'Person',
        id: 'federated_users/dana@other.example.org',
        name: 'dana',
        talkParticipantType: '3',
      },
      { type: 'Person', id: 'guests/new1', name: '', talkParticipantType: '4' },
    ]);
  });

  it('is a message that a user writes through the chat API, before that call returns', async () => {
    const response = await talkAs('bob', 'POST', `/v1/chat/${ROOM}`, { message: 'hi' });
    expect(response.status).toBe(201);
    expect(bot.activities()).toMatchObject([
      { type: 'Create', actor: { id: 'users/bob' }, object: { id: '1' } },
    ]);
  });

  it('is an edit and a deletion only as a system message without the text', async () => {
    await say({ user: 'alice', text: 'secret' });
    await control('POST', `/rooms/${ROOM}/messages/1/edit`, { user: 'alice', text: 'changed' });
    await control('DELETE', `/rooms/${ROOM}/messages/1`, { user: 'alice' });
    expect(bot.activities().slice(1)).toMatchObject([
      { type: 'Activity', object: { id: '2', name: 'message_edited' } },
      { type: 'Activity', object: { id: '3', name: 'message_deleted' } },
    ]);
    expect(bot.received[1]?.body).not.toContain('changed');
  });

  it('is a shared file as an Activity with its caption', async () => {
    await say({ user: 'alice', text: 'see this', file: '/Docs/plan.pdf' });
    const [activity] = bot.activities();
    expect(activity).toMatchObject({ type: 'Activity', object: { name: '' } });
    const { content } = activity?.['object'] as { content: string };
    expect(JSON.parse(content)).toMatchObject({
      message: 'see this',
      parameters: { file: { name: 'plan.pdf', size: '4' } },
    });
  });

  it('is that it was set up in a room and removed from it', async () => {
    expect((await talkAs('alice', 'DELETE', `/v1/bot/${ROOM}/1`)).status).toBe(200);
    await say({ user: 'alice', text: 'nobody hears this' });
    expect((await talkAs('alice', 'POST', `/v1/bot/${ROOM}/1`)).status).toBe(201);
    expect((await talkAs('alice', 'POST', `/v1/bot/${ROOM}/1`)).status).toBe(200);
    expect(bot.activities()).toMatchObject([
      { type: 'Leave', object: { id: ROOM, name: 'Team' } },
      { type: 'Join', object: { id: ROOM, name: 'Team' } },
    ]);
  });

  it('may be changed by moderators only', async () => {
    expect((await talkAs('bob', 'DELETE', `/v1/bot/${ROOM}/1`)).status).toBe(403);
    expect((await talkAs('alice', 'POST', `/v1/bot/${ROOM}/9`)).status).toBe(400);
  });

  it.each([200, 202])('counts as delivered with %i', async (status) => {
    bot.status = status;
    await say({ user: 'alice', text: 'x' });
    expect(await errorCount()).toBe(0);
  });

  it.each([201, 204, 302, 404, 500])(
    'counts as an error with %i, is not tried again and disables nothing',
    async (status) => {
      bot.status = status;
      expect((await say({ user: 'alice', text: 'x' })).status).toBe(201);
      expect(bot.received).toHaveLength(1);
      expect(await errorCount()).toBe(1);
      expect(await webhooks()).toMatchObject([{ status }]);
    },
  );

  it('is lost when the bot takes too long, and the sender gets through all the same', async () => {
    bot.status = null;
    expect((await say({ user: 'alice', text: 'x' })).status).toBe(201);
    expect(await errorCount()).toBe(1);
    expect(await webhooks()).toMatchObject([{ status: null }]);
  });

  it('can be delivered again, the same bytes under the same headers', async () => {
    await say({ user: 'alice', text: 'x' });
    const replayed = await control('POST', '/webhooks/1/replay');
    expect(await replayed.json()).toMatchObject({ n: 2, status: 200 });
    const [first, second] = bot.received;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['x-nextcloud-talk-random']).toBe(first?.headers['x-nextcloud-talk-random']);
    expect(second?.headers['x-nextcloud-talk-signature']).toBe(first?.headers['x-nextcloud-talk-signature']);
    expect((await control('POST', '/webhooks/9/replay')).status).toBe(404);
  });

  it('is nothing over HTTP once the bot has the event feature', async () => {
    const fixture = teamFixture('32.0.1', bot.url);
    emulator.reset({
      ...fixture,
      bots: (fixture.bots ?? []).map((one) => ({ ...one, features: ['webhook', 'event'] })),
    });
    await say({ user: 'alice', text: 'x' });
    expect(bot.received).toEqual([]);
  });

  it('leaves out reactions for a bot without that feature', async () => {
    const fixture = teamFixture('32.0.1', bot.url);
    emulator.reset({
      ...fixture,
      bots: (fixture.bots ?? []).map((one) => ({ ...one, features: ['webhook', 'response'] })),
    });
    await say({ user: 'alice', text: 'x' });
    await control('POST', `/rooms/${ROOM}/messages/1/reactions`, { user: 'bob', reaction: '👍' });
    expect(bot.activities().map(({ type }) => type)).toEqual(['Create']);
  });
});
