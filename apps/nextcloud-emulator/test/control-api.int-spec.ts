import { startEmulator } from '../src';
import type { Emulator } from '../src';
import { basic, callsTo, ROOM } from './nextcloud-calls';
import { teamFixture } from './worlds';

describe('the control API', () => {
  let emulator: Emulator;
  const { control, asUser } = callsTo(() => emulator.url);
  const MESSAGES = `/rooms/${ROOM}/messages`;
  const cloudUser = (user = 'alice') => asUser(user, 'GET', '/ocs/v2.php/cloud/user');
  const errorOf = async (response: Response) => ((await response.json()) as { error: string }).error;
  const requests = async () => {
    const response = await control('GET', '/requests');
    return ((await response.json()) as { requests: Record<string, unknown>[] }).requests;
  };

  beforeAll(async () => {
    emulator = await startEmulator({ fixture: teamFixture('32.0.1', 'responseonly://nobody') });
  });

  beforeEach(() => emulator.reset());

  afterAll(() => emulator.close());

  describe('messages', () => {
    it('tell their ids, and the transcript gives them in the documented shape', async () => {
      expect(await (await control('POST', MESSAGES, { user: 'alice', text: 'Hi @bob' })).json()).toEqual({
        id: 1,
      });
      await control('POST', MESSAGES, { user: 'guests/7f3a', name: 'Gus', text: 'hello', replyTo: 1 });
      await control('POST', `${MESSAGES}/1/reactions`, { user: 'bob', reaction: '👍' });
      const transcript = await control('GET', MESSAGES);
      expect(await transcript.json()).toEqual({
        messages: [
          {
            id: 1,
            actorType: 'users',
            actorId: 'alice',
            actorDisplayName: 'Alice Adams',
            message: 'Hi @Bob Brown',
            replyTo: null,
            referenceId: '',
            reactions: { '👍': 1 },
            systemMessage: '',
          },
          {
            id: 2,
            actorType: 'guests',
            actorId: '7f3a',
            actorDisplayName: 'Gus',
            message: 'hello',
            replyTo: 1,
            referenceId: '',
            reactions: {},
            systemMessage: '',
          },
        ],
      });
      expect(await (await control('GET', `${MESSAGES}?after=1`)).json()).toMatchObject({
        messages: [{ id: 2 }],
      });
    });

    it('may share a file with a caption', async () => {
      await control('POST', MESSAGES, { user: 'alice', file: '/Docs/plan.pdf' });
      await control('POST', MESSAGES, { user: 'alice', text: 'look', file: '/Docs/plan.pdf' });
      const { messages } = (await (await control('GET', MESSAGES)).json()) as {
        messages: { message: string }[];
      };
      expect(messages.map(({ message }) => message)).toEqual(['plan.pdf', 'look']);
    });

    it('give a shared file to the members of the room, as the same file', async () => {
      await control('POST', MESSAGES, { user: 'alice', text: 'look', file: '/Docs/plan.pdf' });
      const history = await asUser(
        'bob',
        'GET',
        `/ocs/v2.php/apps/spreed/api/v1/chat/${ROOM}?lookIntoFuture=0`,
      );
      expect(await history.json()).toMatchObject({
        ocs: { data: [{ message: 'look', messageParameters: { file: { path: 'Talk/plan.pdf' } } }] },
      });
      const read = await asUser('bob', 'GET', '/remote.php/dav/files/bob/Talk/plan.pdf');
      expect(await read.text()).toBe('plan');
      expect((await control('POST', MESSAGES, { user: 'bob', file: '/Talk/plan.pdf' })).status).toBe(201);
    });

    it('stand in a thread with the message that opens it, and so do replies', async () => {
      await control('POST', MESSAGES, { user: 'alice', text: 'opens it' });
      await control('POST', MESSAGES, { user: 'bob', text: 'in it', threadId: 1 });
      await control('POST', MESSAGES, { user: 'alice', text: 'reply', replyTo: 2 });
      await control('POST', MESSAGES, { user: 'alice', text: 'beside' });
      const { messages } = (await (await control('GET', MESSAGES)).json()) as {
        messages: { threadId?: number }[];
      };
      expect(messages.map(({ threadId }) => threadId)).toEqual([1, 1, 1, undefined]);
    });

    it('show the new text after an edit, also of a caption', async () => {
      await control('POST', MESSAGES, { user: 'alice', text: 'look', file: '/Docs/plan.pdf' });
      await control('POST', `${MESSAGES}/1/edit`, { user: 'alice', text: 'look again' });
      expect(await (await control('GET', MESSAGES)).json()).toMatchObject({
        messages: [{ message: 'look again' }, { systemMessage: 'message_edited' }],
      });
    });

    it('cannot be changed once they are deleted, and Talk’s own never', async () => {
      await control('POST', MESSAGES, { user: 'alice', text: 'one' });
      await control('DELETE', `${MESSAGES}/1`);
      expect((await control('POST', `${MESSAGES}/1/edit`, { user: 'alice', text: 'x' })).status).toBe(409);
      expect((await control('DELETE', `${MESSAGES}/2`, { user: 'alice' })).status).toBe(409);
    });

    it('are edited and deleted by their authors and by moderators', async () => {
      await control('POST', MESSAGES, { user: 'bob', text: 'one' });
      await control('POST', MESSAGES, { user: 'bob', text: 'two' });
      await control('POST', `${MESSAGES}/1/edit`, { user: 'bob', text: 'ONE' });
      await control('DELETE', `${MESSAGES}/2`);
      expect((await control('DELETE', `${MESSAGES}/1`, { user: 'guests/7f3a' })).status).toBe(403);
      expect((await control('DELETE', `${MESSAGES}/1`, { user: 'alice' })).status).toBe(200);
      const { messages } = (await (await control('GET', MESSAGES)).json()) as {
        messages: { message: string; systemMessage: string }[];
      };
      expect(messages.map(({ message, systemMessage }) => `${systemMessage}|${message}`)).toEqual([
        '|Message deleted by author',
        '|Message deleted by author',
        'message_edited|Bob Brown edited a message',
        'message_deleted|Bob Brown deleted a message',
        'message_deleted|Alice Adams deleted a message',
      ]);
    });

    it.each([
      [{ text: 'x' }, 400, 'user: Invalid input'],
      [{ user: 'alice' }, 400, 'text: a message needs a text or a file'],
      [{ user: 'alice', text: 'x', colour: 'red' }, 400, 'Unrecognized key: "colour"'],
      [{ user: 'zoe', text: 'x' }, 403, 'user: users/zoe is not a member of room'],
      [{ user: 'bots/x', text: 'x' }, 400, 'user: bots write through the bot API'],
      [{ user: 'alice', text: 'x', replyTo: 9 }, 400, 'replyTo: there is no message 9'],
      [{ user: 'alice', text: 'x', threadId: 9 }, 400, 'threadId: there is no message 9'],
      [{ user: 'alice', file: '/nope' }, 400, 'file: alice has no file "/nope"'],
      [{ user: 'guests/7f3a', file: '/Docs/plan.pdf' }, 400, 'file: only local users have files'],
    ])('are refused as %j', async (body, status, message) => {
      const response = await control('POST', MESSAGES, body);
      expect(response.status).toBe(status);
      expect(await errorOf(response)).toContain(message);
    });

    it('go to a room that exists, and the others are named', async () => {
      const response = await control('POST', '/rooms/nope/messages', { user: 'alice', text: 'x' });
      expect(response.status).toBe(404);
      expect(await errorOf(response)).toBe(`There is no room "nope"; there are: ${ROOM}`);
    });
  });

  describe('the journal of requests', () => {
    it('names user, path and status, and nothing secret', async () => {
      await cloudUser();
      await asUser('alice', 'GET', '/ocs/v2.php/cloud/user?token=hidden', undefined, basic('alice', 'wrong'));
      expect(await requests()).toEqual([
        {
          n: 1,
          at: expect.any(String) as string,
          method: 'GET',
          path: '/ocs/v2.php/cloud/user',
          user: 'alice',
          status: 200,
          ms: expect.any(Number) as number,
        },
        {
          n: 2,
          at: expect.any(String) as string,
          method: 'GET',
          path: '/ocs/v2.php/cloud/user',
          user: null,
          status: 401,
          ms: expect.any(Number) as number,
        },
      ]);
      expect(await (await control('GET', '/requests?after=1')).json()).toMatchObject({
        requests: [{ n: 2 }],
      });
    });

    it('does not hold the calls of the operator', async () => {
      await control('GET', MESSAGES);
      await fetch(`${emulator.url}/`);
      expect(await requests()).toEqual([]);
    });
  });

  describe('a fault', () => {
    it('answers in place of Nextcloud, so often and no more', async () => {
      await control('POST', '/faults', { match: { path: '/ocs/', user: 'alice' }, status: 503, times: 1 });
      expect((await cloudUser('bob')).status).toBe(200);
      expect((await cloudUser()).status).toBe(503);
      expect((await cloudUser()).status).toBe(200);
    });

    it('speaks XML on DAV', async () => {
      await control('POST', '/faults', { match: { method: 'GET' }, status: 423, times: 1 });
      const response = await asUser('alice', 'GET', '/remote.php/dav/files/alice/Docs/plan.pdf');
      expect(response.status).toBe(423);
      expect(await response.text()).toContain('<s:message>Injected by the emulator</s:message>');
    });

    it('drops the connection before or after the work is done', async () => {
      const write = () =>
        asUser('alice', 'POST', `/ocs/v2.php/apps/spreed/api/v1/chat/${ROOM}`, { message: 'x' });
      await control('POST', '/faults', { match: { method: 'POST' }, drop: true, times: 1 });
      await expect(write()).rejects.toThrow('fetch failed');
      expect(await (await control('GET', MESSAGES)).json()).toEqual({ messages: [] });
      await control('POST', '/faults', { match: { method: 'POST' }, drop: 'answer', times: 1 });
      await expect(write()).rejects.toThrow('fetch failed');
      expect(await (await control('GET', MESSAGES)).json()).toMatchObject({ messages: [{ message: 'x' }] });
      expect((await requests()).map(({ status }) => status)).toEqual([null, null]);
    });

    it('can keep a client waiting that then goes away', async () => {
      await control('POST', '/faults', { match: {}, delayMs: 60_000, times: 1 });
      const waiting = fetch(`${emulator.url}/status.php`, { signal: AbortSignal.timeout(50) });
      await expect(waiting).rejects.toThrow();
    });

    it('is cleared', async () => {
      await control('POST', '/faults', { match: {}, status: 500, times: 5 });
      await control('DELETE', '/faults');
      expect((await cloudUser()).status).toBe(200);
    });

    it('is refused without a number of times', async () => {
      const response = await control('POST', '/faults', { match: {}, status: 500 });
      expect(response.status).toBe(400);
      expect(await errorOf(response)).toContain('times: ');
    });
  });

  describe('a reset', () => {
    it('brings the given world and empties the journals', async () => {
      await control('POST', MESSAGES, { user: 'alice', text: 'x' });
      await cloudUser();
      const fixture = { users: [{ id: 'zoe', password: 'zoe-password' }] };
      expect((await control('POST', '/reset', { fixture })).status).toBe(200);
      expect((await cloudUser('zoe')).status).toBe(200);
      expect((await requests()).map(({ n, user }) => [n, user])).toEqual([[1, 'zoe']]);
      expect((await control('GET', MESSAGES)).status).toBe(404);
    });

    it('without a fixture brings the world of the start', async () => {
      await control('POST', '/reset', { fixture: {} });
      await control('POST', '/reset');
      expect((await cloudUser()).status).toBe(200);
    });

    it('refuses a fixture it does not understand and leaves the world as it was', async () => {
      const response = await control('POST', '/reset', { fixture: { rooms: [{ token: 'X' }] } });
      expect(response.status).toBe(400);
      expect(await errorOf(response)).toContain('rooms[0].token: a room token is 4 to 30');
      expect((await cloudUser()).status).toBe(200);
    });

    it('refuses a body that is not JSON, telling where', async () => {
      const response = await fetch(`${emulator.url}/_emulator/reset`, {
        method: 'POST',
        body: '{"fixture": }',
      });
      expect(response.status).toBe(400);
      expect(await errorOf(response)).toBe('line 1, column 13: the body is not JSON');
    });
  });

  describe('the version', () => {
    it('changes what the server says of itself, Talk following Nextcloud', async () => {
      const changed = await control('PUT', '/version', { nextcloud: '30.0.2', apps: ['spreed', 'deck'] });
      expect(await changed.json()).toEqual({ nextcloud: '30.0.2', talk: '20.0.2', apps: ['spreed', 'deck'] });
      const response = await asUser('alice', 'GET', '/ocs/v2.php/cloud/capabilities');
      expect(await response.json()).toMatchObject({
        ocs: {
          data: {
            version: { major: 30, string: '30.0.2' },
            capabilities: { spreed: { version: '20.0.2' }, deck: {} },
          },
        },
      });
      expect(await (await fetch(`${emulator.url}/status.php`)).json()).toMatchObject({
        versionstring: '30.0.2',
      });
    });

    it('may be set for Talk alone', async () => {
      await control('PUT', '/version', { talk: '25.1.0' });
      const changed = await control('PUT', '/version', { apps: ['spreed'] });
      expect(await changed.json()).toEqual({ nextcloud: '32.0.1', talk: '25.1.0', apps: ['spreed'] });
    });
  });

  it('has an empty list of mail, because nothing sends any', async () => {
    expect(await (await control('GET', '/mail')).json()).toEqual({ mail: [] });
  });

  it('answers 501 to what it does not have', async () => {
    const response = await control('POST', '/calls');
    expect(response.status).toBe(501);
    expect(await errorOf(response)).toBe(
      'The emulator has no POST /_emulator/calls; its README lists what there is',
    );
  });
});
