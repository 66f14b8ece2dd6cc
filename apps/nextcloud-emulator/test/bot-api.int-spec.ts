import { createHmac } from 'node:crypto';
import { startEmulator } from '../src';
import type { Emulator } from '../src';
import { startBotServer } from './bot-server';
import type { BotServer } from './bot-server';
import { callsTo, dataOf, ROOM } from './nextcloud-calls';
import { BOT_SECRET, teamFixture } from './worlds';

describe('what bots call', () => {
  let bot: BotServer;
  let emulator: Emulator;
  const { control, asBot, talkAs } = callsTo(() => emulator.url);
  const send = (message: string, more: object = {}, options = {}) =>
    asBot('POST', `${ROOM}/message`, { message, ...more }, message, options);
  const botMessages = async () => {
    const { messages } = (await (await control('GET', `/rooms/${ROOM}/messages`)).json()) as {
      messages: Record<string, unknown>[];
    };
    return messages.filter(({ actorType }) => actorType === 'bots');
  };

  beforeAll(async () => {
    bot = await startBotServer();
    emulator = await startEmulator();
  });

  beforeEach(() => {
    emulator.reset(teamFixture('32.0.1', bot.url));
    bot.received.length = 0;
  });

  afterAll(async () => {
    await emulator.close();
    await bot.close();
  });

  describe('a message', () => {
    it('is posted with its reference, reply and suffix, and tells no id', async () => {
      await control('POST', `/rooms/${ROOM}/messages`, { user: 'alice', text: 'hello' });
      const response = await send('Hällo **Bob** 👍', { replyTo: 1, referenceId: 'f'.repeat(70) });
      expect(response.status).toBe(201);
      expect(await dataOf(response)).toBeNull();
      const history = await talkAs('alice', 'GET', `/v1/chat/${ROOM}?lookIntoFuture=0&limit=1`);
      expect(await dataOf(history)).toMatchObject([
        {
          actorType: 'bots',
          actorDisplayName: 'Helper (Bot)',
          message: 'Hällo **Bob** 👍',
          referenceId: 'f'.repeat(64),
          parent: { id: 1, message: 'hello' },
          threadId: 1,
        },
      ]);
    });

    it('is not sent to any bot', async () => {
      await send('hello');
      expect(bot.received).toEqual([]);
    });

    it('is refused when it is empty, before the signature is looked at', async () => {
      expect((await send('  ', {}, { secret: 'wrong' })).status).toBe(400);
    });

    it('is refused with a short random or without a signature', async () => {
      expect((await send('x', {}, { random: 'r'.repeat(31) })).status).toBe(400);
      expect((await send('x', {}, { headers: { 'X-Nextcloud-Talk-Bot-Signature': '' } })).status).toBe(400);
    });

    it.each([
      ['a wrong secret', ROOM, { secret: 'wrong' }],
      ['an unknown room', 'unknown1', {}],
    ])('gets 401 for %s, whatever else is wrong', async (_, token, options) => {
      const response = await asBot('POST', `${token}/message`, { message: 'x', replyTo: 99 }, 'x', options);
      expect(response.status).toBe(401);
      expect(await dataOf(response)).toBeNull();
    });

    it('gets 404 for a token that can be none', async () => {
      expect((await asBot('POST', 'NO/message', { message: 'x' }, 'x')).status).toBe(404);
    });

    it('gets 400 when the message it answers is not in the room', async () => {
      expect((await send('x', { replyTo: 99 })).status).toBe(400);
    });

    it('may have 32000 characters, not bytes, and one more is too many', async () => {
      expect((await send('👍'.repeat(32_000))).status).toBe(201);
      expect((await send('👍'.repeat(32_001))).status).toBe(413);
    });

    it('needs the OCS header', async () => {
      const response = await send('x', {}, { headers: { 'OCS-APIRequest': 'false' } });
      expect(response.status).toBe(412);
      expect(await response.text()).toBe('{"message":"CSRF check failed"}');
    });

    it('accepts a signature in capitals', async () => {
      const random = 'r'.repeat(32);
      const signature = createHmac('sha256', BOT_SECRET).update(`${random}x`).digest('hex').toUpperCase();
      expect((await send('x', {}, { headers: { 'X-Nextcloud-Talk-Bot-Signature': signature } })).status).toBe(
        201,
      );
    });

    it('is refused from everybody at that address after more than ten wrong signatures', async () => {
      for (let n = 0; n < 11; n += 1) await send('x', {}, { secret: 'wrong' });
      expect((await send('x')).status).toBe(429);
      await control('POST', '/reset', { fixture: teamFixture('32.0.1', bot.url) });
      expect((await send('x')).status).toBe(201);
    });

    it('is refused from a disabled bot and from one that may not answer', async () => {
      const fixture = teamFixture('32.0.1', bot.url);
      const [helper] = fixture.bots ?? [];
      if (!helper) throw new Error('the fixture has a bot');
      emulator.reset({ ...fixture, bots: [{ ...helper, state: 0 }] });
      expect((await send('x')).status).toBe(401);
      emulator.reset({ ...fixture, bots: [{ ...helper, features: ['webhook'] }] });
      expect((await send('x')).status).toBe(401);
    });
  });

  describe('a reaction', () => {
    const reaction = (method: string, id: number, emoji: string) =>
      asBot(method, `${ROOM}/reaction/${id}`, { reaction: emoji }, emoji);

    beforeEach(async () => {
      await control('POST', `/rooms/${ROOM}/messages`, { user: 'alice', text: 'hello' });
      bot.received.length = 0;
    });

    it('is added once and removed once', async () => {
      expect((await reaction('POST', 1, '👀')).status).toBe(201);
      expect((await reaction('POST', 1, '👀')).status).toBe(200);
      expect((await reaction('DELETE', 1, '👀')).status).toBe(200);
      expect((await reaction('DELETE', 1, '👀')).status).toBe(404);
    });

    it('is told to bots, the own one included, with the author for the reactor in Talk 22', async () => {
      await reaction('POST', 1, '👀');
      expect(bot.activities()).toMatchObject([
        { type: 'Like', actor: { id: 'users/alice' }, object: { id: '1' }, content: '👀' },
      ]);
    });

    it('is told twice when it is removed', async () => {
      await reaction('POST', 1, '👀');
      await reaction('DELETE', 1, '👀');
      expect(bot.activities().map(({ type, object }) => [type, (object as { name?: string }).name])).toEqual([
        ['Like', ''],
        ['Activity', 'reaction_revoked'],
        ['Undo', undefined],
      ]);
    });

    it('is refused for a missing message, a system message and what is no emoji', async () => {
      expect((await reaction('POST', 99, '👀')).status).toBe(404);
      expect((await reaction('POST', 1, 'ok')).status).toBe(400);
      await control('DELETE', `/rooms/${ROOM}/messages/1`, { user: 'alice' });
      expect((await reaction('POST', 2, '👀')).status).toBe(400);
      expect((await reaction('DELETE', 99, '👀')).status).toBe(404);
    });
  });

  it('are asked for their features from Talk 25 on', async () => {
    const ask = () => asBot('POST', 'ask-features', { token: ROOM }, ROOM);
    expect((await ask()).status).toBe(404);
    await control('PUT', '/version', { talk: '25.0.0' });
    const response = await ask();
    expect(response.status).toBe(200);
    expect(await dataOf(response)).toEqual({ features: 11 });
  });

  it('find nothing where Talk is not installed', async () => {
    await control('PUT', '/version', { apps: ['app_api'] });
    expect((await send('x')).status).toBe(404);
    expect(await botMessages()).toEqual([]);
  });

  it('stand in the transcript as bots', async () => {
    await send('one');
    expect(await botMessages()).toMatchObject([
      { actorDisplayName: 'Helper (Bot)', message: 'one', systemMessage: '' },
    ]);
  });
});
