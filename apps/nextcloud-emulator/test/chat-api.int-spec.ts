import { startEmulator } from '../src';
import type { Emulator } from '../src';
import { callsTo, dataOf, exApp, ROOM } from './nextcloud-calls';
import { teamFixture } from './worlds';

interface ChatMessage {
  id: number;
  message: string;
}

describe('the chat API for users', () => {
  let emulator: Emulator;
  const { control, talkAs } = callsTo(() => emulator.url);
  const history = (query: string, user = 'alice') => talkAs(user, 'GET', `/v1/chat/${ROOM}?${query}`);
  const textsOf = async (response: Response) =>
    (await dataOf<ChatMessage[]>(response)).map(({ message }) => message);

  beforeAll(async () => {
    emulator = await startEmulator();
  });

  beforeEach(async () => {
    const fixture = teamFixture('32.0.1', 'responseonly://nobody');
    const carol = { id: 'carol', password: 'carol-password' };
    emulator.reset({
      ...fixture,
      users: [...(fixture.users ?? []), carol],
      appApi: { id: 'nuqloud_ai', secret: 'app-secret' },
    });
    for (const text of ['one', 'two', 'three'])
      await control('POST', `/rooms/${ROOM}/messages`, { user: 'bob', text });
  });

  afterAll(() => emulator.close());

  it('reads the past newest first and pages by the header of the last given', async () => {
    const first = await history('lookIntoFuture=0&limit=2');
    expect(first.headers.get('x-chat-last-given')).toBe('2');
    expect(await textsOf(first)).toEqual(['three', 'two']);
    expect(await textsOf(await history('lookIntoFuture=0&limit=2&lastKnownMessageId=2'))).toEqual(['one']);
  });

  it('reads the future oldest first, with or without the last known', async () => {
    expect(await textsOf(await history('lookIntoFuture=1&lastKnownMessageId=1'))).toEqual(['two', 'three']);
    const including = await history('lookIntoFuture=1&lastKnownMessageId=1&includeLastKnown=1&limit=2');
    expect(await textsOf(including)).toEqual(['one', 'two']);
  });

  it('answers 304 without a body when there is nothing', async () => {
    const response = await history('lookIntoFuture=1&timeout=0&lastKnownMessageId=3');
    expect(response.status).toBe(304);
    expect(await response.text()).toBe('');
  });

  it('holds a look into the future until somebody writes', async () => {
    const waiting = history('lookIntoFuture=1&timeout=30&lastKnownMessageId=3');
    await control('POST', `/rooms/${ROOM}/messages`, { user: 'bob', text: 'four' });
    expect(await textsOf(await waiting)).toEqual(['four']);
  });

  it('is closed to who is not in the room', async () => {
    expect((await history('lookIntoFuture=0', 'carol')).status).toBe(404);
    expect((await talkAs('carol', 'GET', `/v4/room/${ROOM}`)).status).toBe(404);
    expect(await dataOf(await talkAs('carol', 'GET', '/v4/room'))).toEqual([]);
  });

  it('gives ids as numbers, empty parameters as a list and reactions by count', async () => {
    await control('POST', `/rooms/${ROOM}/messages/3/reactions`, { user: 'alice', reaction: '👍' });
    const [newest, before] = await dataOf<object[]>(await history('lookIntoFuture=0&limit=2'));
    expect(newest).toMatchObject({ systemMessage: 'reaction', message: '👍', parent: { id: 3 } });
    expect(before).toEqual({
      id: 3,
      token: ROOM,
      actorType: 'users',
      actorId: 'bob',
      actorDisplayName: 'Bob Brown',
      timestamp: expect.any(Number) as number,
      message: 'three',
      messageParameters: [],
      systemMessage: '',
      messageType: 'comment',
      isReplyable: true,
      referenceId: '',
      reactions: { '👍': 1 },
      reactionsSelf: ['👍'],
      expirationTimestamp: 0,
      markdown: true,
      threadId: 3,
    });
  });

  it('writes a message and gives it back with its id', async () => {
    const response = await talkAs('alice', 'POST', `/v1/chat/${ROOM}`, {
      message: 'Hi @bob',
      replyTo: 1,
      referenceId: 'abc',
    });
    expect(response.status).toBe(201);
    expect(await dataOf(response)).toMatchObject({
      id: 4,
      message: 'Hi {mention-user1}',
      messageParameters: { 'mention-user1': { id: 'bob' } },
      referenceId: 'abc',
      parent: { id: 1 },
      threadId: 1,
    });
    expect((await talkAs('alice', 'POST', `/v1/chat/${ROOM}`, { message: 'x'.repeat(32_001) })).status).toBe(
      413,
    );
    expect((await talkAs('alice', 'POST', `/v1/chat/${ROOM}`, { message: '' })).status).toBe(400);
  });

  it('edits and deletes own messages, with 202 because a bot has a copy', async () => {
    expect((await talkAs('bob', 'PUT', `/v1/chat/${ROOM}/1`, { message: 'ONE' })).status).toBe(202);
    expect((await talkAs('bob', 'DELETE', `/v1/chat/${ROOM}/2`)).status).toBe(202);
    expect((await talkAs('bob', 'DELETE', `/v1/chat/${ROOM}/2`)).status).toBe(405);
    const messages = await dataOf<object[]>(await history('lookIntoFuture=1&lastKnownMessageId=0&limit=2'));
    expect(messages).toMatchObject([
      { id: 1, message: 'ONE', lastEditActorId: 'bob' },
      { id: 2, message: 'Message deleted by author', messageType: 'comment_deleted', deleted: true },
    ]);
  });

  it('lists who reacted how', async () => {
    expect((await talkAs('alice', 'POST', `/v1/reaction/${ROOM}/1`, { reaction: '🎉' })).status).toBe(201);
    const list = await talkAs('bob', 'GET', `/v1/reaction/${ROOM}/1`);
    expect(await dataOf(list)).toMatchObject({
      '🎉': [{ actorType: 'users', actorId: 'alice', actorDisplayName: 'Alice Adams' }],
    });
    expect((await talkAs('alice', 'DELETE', `/v1/reaction/${ROOM}/1`, { reaction: '🎉' })).status).toBe(200);
    expect((await talkAs('alice', 'DELETE', `/v1/reaction/${ROOM}/1`, { reaction: '🎉' })).status).toBe(404);
  });

  it('gives everybody the path of a shared file in the own files', async () => {
    await control('POST', `/rooms/${ROOM}/messages`, { user: 'alice', file: '/Docs/plan.pdf' });
    const fileFor = async (user: string) => {
      const [message] = await dataOf<{ messageParameters: { file: object } }[]>(
        await history('lookIntoFuture=0&limit=1', user),
      );
      return message?.messageParameters.file;
    };
    expect(await fileFor('alice')).toMatchObject({ path: 'Docs/plan.pdf', name: 'plan.pdf' });
    expect(await fileFor('bob')).toMatchObject({ path: 'Talk/plan.pdf', name: 'plan.pdf' });
  });

  it('tells rooms and participants, bots not among them', async () => {
    const rooms = await talkAs('alice', 'GET', '/v4/room');
    expect(rooms.headers.get('x-nextcloud-talk-hash')).not.toBeNull();
    expect(await dataOf(rooms)).toMatchObject([
      { token: ROOM, type: 2, name: 'Team', participantType: 1, lastMessage: { id: 3 } },
    ]);
    const participants = await dataOf<{ actorType: string }[]>(
      await talkAs('alice', 'GET', `/v4/room/${ROOM}/participants`),
    );
    expect(participants.map(({ actorType }) => actorType)).toEqual([
      'users',
      'users',
      'guests',
      'federated_users',
    ]);
  });

  it('serves an app that acts as a user, and nobody when its secret is wrong', async () => {
    const read = (secret?: string) =>
      fetch(`${emulator.url}/ocs/v2.php/apps/spreed/api/v1/chat/${ROOM}?lookIntoFuture=0&format=json`, {
        headers: { 'OCS-APIRequest': 'true', ...exApp('alice', secret) },
      });
    expect(await textsOf(await read())).toEqual(['three', 'two', 'one']);
    const refused = await read('wrong');
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({
      ocs: { meta: { statuscode: 997, message: 'Current user is not logged in' } },
    });
  });

  it('marks what stands in a thread', async () => {
    await control('POST', `/rooms/${ROOM}/messages`, { user: 'bob', text: 'in it', threadId: 2 });
    await control('POST', `/rooms/${ROOM}/messages`, { user: 'bob', text: 'also', replyTo: 4 });
    const messages = await dataOf<object[]>(await history('lookIntoFuture=0&limit=3'));
    expect(messages).toMatchObject([
      { id: 5, threadId: 2, isThread: true },
      { id: 4, threadId: 2, isThread: true },
      { id: 3, threadId: 3 },
    ]);
  });

  it('has no threads in Talk 21', async () => {
    await control('PUT', '/version', { nextcloud: '31.0.0' });
    const [message] = await dataOf<object[]>(await history('lookIntoFuture=0&limit=1'));
    expect(message).not.toHaveProperty('threadId');
  });
});
