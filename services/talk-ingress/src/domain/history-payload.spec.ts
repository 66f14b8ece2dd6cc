import type { HistoryMessage } from '@nuqloud/contracts';
import { historyPayload } from './history-payload';
import { interpretPayload } from './interpret-payload';

const written: HistoryMessage = {
  id: 1567,
  actorType: 'users',
  actorId: 'alice',
  actorDisplayName: 'Alice Adams',
  timestamp: 1_772_442_900,
  message: 'Hi {mention-user1}',
  messageParameters: { 'mention-user1': { type: 'user', id: 'bob', name: 'Bob Brown', 'mention-id': 'bob' } },
  systemMessage: '',
  messageType: 'comment',
  threadId: 1560,
};

const understood = (message: HistoryMessage) => {
  const payload = historyPayload(message, 'x7k2m9pq');
  return payload && interpretPayload(payload);
};

describe('a message of the history', () => {
  it('means what its webhook would have meant', () => {
    expect(understood(written)).toEqual({
      event: {
        kind: 'message',
        room: 'x7k2m9pq',
        roomName: '',
        actor: { type: 'users', id: 'alice', name: 'Alice Adams', moderator: false },
        messageId: '1567',
        mentions: [{ type: 'user', id: 'bob', name: 'Bob Brown' }],
        text: 'Hi @Bob Brown',
      },
    });
  });

  it('keeps its thread and what it answers', () => {
    const parent = {
      ...written,
      id: 1560,
      actorType: 'bots',
      actorId: 'bot-1',
      actorDisplayName: 'NuQ (Bot)',
    };
    expect(
      understood({
        ...written,
        isThread: true,
        parent: { ...parent, message: 'Which?', messageParameters: [] },
      }),
    ).toMatchObject({
      event: {
        thread: '1560',
        replyTo: { messageId: '1560', actor: { type: 'bots', id: 'bot-1', name: 'NuQ' }, text: 'Which?' },
      },
    });
    expect(understood({ ...written, parent: { id: 1560, deleted: true } })).not.toHaveProperty(
      'event.replyTo',
    );
  });

  it('is a caption where it shares a file, and never a message', () => {
    const file = { type: 'file', id: '4711', name: 'plan.pdf', size: '20480', mimetype: 'application/pdf' };
    expect(understood({ ...written, message: 'yes', messageParameters: { file } })).toMatchObject({
      event: { kind: 'attachment', text: 'yes', attachments: [{ fileId: '4711' }] },
    });
  });

  it('of the system is one of the system', () => {
    const cleared = { ...written, systemMessage: 'history_cleared', messageType: 'system' };
    expect(understood(cleared)).toMatchObject({ event: { kind: 'system', name: 'history_cleared' } });
  });

  it('of a bot, or of the bridge, is no local user’s', () => {
    expect(understood({ ...written, actorType: 'bots', actorId: 'bot-1' })).toEqual({
      ignored: 'FROM_A_BOT',
    });
    expect(understood({ ...written, actorId: 'bridge-bot' })).toMatchObject({
      event: { actor: { type: 'bridged' } },
    });
  });

  it('that was deleted, or changed by somebody else, says nothing', () => {
    expect(understood({ ...written, messageType: 'comment_deleted' })).toBeUndefined();
    const edit = { lastEditTimestamp: 1_772_442_999, lastEditActorType: 'users' };
    expect(understood({ ...written, ...edit, lastEditActorId: 'bob' })).toBeUndefined();
    expect(understood({ ...written, ...edit, lastEditActorId: 'alice' })).toHaveProperty('event');
  });
});
