import { phpJson } from '../http/php-json';
import { botActor } from '../world/actors';
import { addMessage } from '../world/messages';
import type { MessageDraft } from '../world/messages';
import type { Message, World } from '../world/world';
import { NOW, roomOf, teamWorld } from '../../test/worlds';
import { messageActivity, reactionActivity } from './bot-activity';

const alice = { actor: { type: 'users', id: 'alice' }, actorName: 'Alice Adams' };

function stageOf(world: World) {
  return { world, room: roomOf(world), baseUrl: 'https://cloud.example.org', now: NOW };
}

function write(world: World, draft: Partial<MessageDraft>): Message {
  return addMessage(world, roomOf(world), { ...alice, text: 'Hi', ...draft }, NOW);
}

function activityOf(world: World, draft: Partial<MessageDraft>) {
  return phpJson(messageActivity(stageOf(world), write(world, draft)));
}

describe('a message for bots', () => {
  it('is a Create with participant type and keys in the order of Talk 22', () => {
    expect(activityOf(teamWorld('32.0.1'), { text: 'Hi {x}/y' })).toBe(
      '{"type":"Create","actor":{"type":"Person","id":"users\\/alice","name":"Alice Adams","talkParticipantType":"1"},' +
        '"object":{"type":"Note","id":"1","name":"message","content":"{\\"message\\":\\"Hi {x}\\\\\\/y\\",\\"parameters\\":[]}","mediaType":"text\\/markdown"},' +
        '"target":{"type":"Collection","id":"x7k2m9pq","name":"Team"}}',
    );
  });

  it('carries mentions as parameters, numbered per kind from the longest', () => {
    const { object } = JSON.parse(activityOf(teamWorld(), { text: '@bob and @"alice smith", @all' })) as {
      object: { content: string };
    };
    expect(JSON.parse(object.content)).toEqual({
      message: '{mention-user2} and {mention-user1}, {mention-call1}',
      parameters: {
        'mention-user1': {
          type: 'user',
          id: 'alice smith',
          name: 'Alice Smith',
          'mention-id': 'alice smith',
        },
        'mention-user2': { type: 'user', id: 'bob', name: 'Bob Brown', 'mention-id': 'bob' },
        'mention-call1': {
          type: 'call',
          id: 'x7k2m9pq',
          name: 'Team',
          'call-type': 'group',
          'icon-url': 'https://cloud.example.org/ocs/v2.php/apps/spreed/api/v1/room/x7k2m9pq/avatar',
          'mention-id': 'all',
        },
      },
    });
  });

  it('quotes the message it answers, a bot with the suffix in its name', () => {
    const world = teamWorld();
    const bot = world.bots[0];
    if (!bot) throw new Error('the fixture has a bot');
    const parent = write(world, { actor: botActor(bot), actorName: bot.name, text: 'Which day?' });
    const reply = messageActivity(stageOf(world), write(world, { parentId: parent.id }));
    expect(reply).toMatchObject({
      object: {
        inReplyTo: {
          type: 'Note',
          actor: {
            type: 'Person',
            id: 'bots/bot-09e2fc83b4e0618e2dbcdfe0152988d095d18209',
            name: 'Helper (Bot)',
          },
          object: {
            type: 'Note',
            id: '1',
            name: 'message',
            content: '{"message":"Which day?","parameters":[]}',
          },
        },
      },
    });
  });

  it('names a conversation of two by the list of both ids', () => {
    const world = teamWorld();
    const room = { ...roomOf(world), type: 'one2one' as const, members: roomOf(world).members.slice(0, 2) };
    expect(messageActivity({ ...stageOf(world), room }, write(world, {}))).toMatchObject({
      target: { name: '["alice","bob"]' },
    });
  });

  it('loses one of two slashes at its beginning', () => {
    expect(activityOf(teamWorld(), { text: '//help' })).toContain('{\\"message\\":\\"\\\\\\/help\\"');
  });
});

describe('a shared file for bots', () => {
  const file = {
    id: 4711,
    name: 'plan.pdf',
    size: 20_480,
    mimetype: 'application/pdf',
    etag: '5f3c',
  };

  it('is an Activity with the bare file name, and the caption as message', () => {
    const activity = messageActivity(
      stageOf(teamWorld()),
      write(teamWorld(), { text: 'Draft for @bob', file }),
    );
    expect(activity).toMatchObject({ type: 'Activity', object: { name: '' } });
    expect(activity['actor']).toEqual({ type: 'Person', id: 'users/alice', name: 'Alice Adams' });
    const { content } = activity['object'] as { content: string };
    const { message, parameters } = JSON.parse(content) as {
      message: string;
      parameters: Record<string, unknown>;
    };
    expect(message).toBe('Draft for {mention-user1}');
    expect(Object.keys(parameters)).toEqual(['actor', 'file', 'mention-user1']);
    expect(parameters['file']).toMatchObject({
      type: 'file',
      id: '4711',
      name: 'plan.pdf',
      size: '20480',
      path: 'plan.pdf',
      etag: '5f3c',
      mimetype: 'application/pdf',
    });
  });

  it('has the placeholder as message when there is no caption', () => {
    expect(activityOf(teamWorld(), { text: '', file })).toContain('{\\"message\\":\\"{file}\\"');
  });
});

describe('the versions of Talk', () => {
  it('tell bots of a thread from Talk 24 on, and never of an ordinary reply', () => {
    const objectOf = (nextcloud: string, threadId?: number) => {
      const world = teamWorld(nextcloud);
      const parent = write(world, {});
      const draft = { parentId: parent.id, ...(threadId !== undefined && { threadId }) };
      return messageActivity(stageOf(world), write(world, draft))['object'];
    };
    expect(objectOf('34.0.0', 7)).toMatchObject({ threadId: 7 });
    expect(objectOf('34.0.0')).not.toHaveProperty('threadId');
    expect(objectOf('33.0.0', 7)).not.toHaveProperty('threadId');
  });

  const reactor = { actor: { type: 'users', id: 'bob' }, name: 'Bob Brown' };
  const like = (nextcloud: string, kind: 'Like' | 'Undo' = 'Like') => {
    const world = teamWorld(nextcloud);
    return reactionActivity(stageOf(world), kind, write(world, {}), reactor, '👍');
  };

  it('leave out participant type and quotation up to Talk 20', () => {
    const world = teamWorld('30.0.0');
    const parent = write(world, {});
    const activity = messageActivity(stageOf(world), write(world, { parentId: parent.id }));
    expect(activity['actor']).toEqual({ type: 'Person', id: 'users/alice', name: 'Alice Adams' });
    expect(activity['object']).not.toHaveProperty('inReplyTo');
  });

  it('name a shared file from Talk 23 on', () => {
    const file = {
      id: 1,
      ownerId: 'alice',
      path: '/a',
      name: 'a',
      size: 1,
      mimetype: 'text/plain',
      etag: 'e',
    };
    expect(activityOf(teamWorld('32.0.0'), { file })).toContain('"name":""');
    expect(activityOf(teamWorld('33.0.0'), { file })).toContain('"name":"message"');
  });

  it.each(['31.0.0', '32.0.0', '33.0.0'])(
    'take the author for the one who reacted in Nextcloud %s',
    (nextcloud) => {
      expect(like(nextcloud)).toMatchObject({
        actor: { id: 'users/alice' },
        content: '👍',
        object: { id: '1', name: '' },
      });
    },
  );

  it('name the reactor rightly and say when it happened from Talk 24 on', () => {
    expect(like('34.0.0')).toMatchObject({
      actor: { id: 'users/bob' },
      published: '2026-03-02T09:15:00+00:00',
    });
    expect(like('34.0.0', 'Undo')).toMatchObject({
      type: 'Undo',
      actor: { id: 'users/bob' },
      object: { type: 'Like', actor: { id: 'users/alice' }, content: '👍' },
      target: { id: 'x7k2m9pq' },
    });
    expect(Object.keys(like('34.0.0'))).toEqual([
      'type',
      'actor',
      'object',
      'target',
      'content',
      'published',
    ]);
  });
});
