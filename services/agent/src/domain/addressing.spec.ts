import type { ChatMessage } from '@nuqloud/contracts';
import fc from 'fast-check';
import { addressedTo } from './addressing';

const bot = { slug: 'nuq', name: 'NuQ', triggers: ['@nuq', 'hey nuq'] };

const message = (text: string, replyTo?: ChatMessage['replyTo']): ChatMessage => ({
  v: 1,
  kind: 'message',
  instance: 'default',
  bot: 'nuq',
  room: 'x7k2m9pq',
  roomName: 'Team',
  receivedAt: '2026-03-02T09:15:00Z',
  actor: { type: 'users', id: 'alice', name: 'Alice', moderator: false },
  messageId: '1567',
  text,
  mentions: [],
  attestation: 'x',
  ...(replyTo ? { replyTo } : {}),
});

const quoted = (type: string, name: string) => ({
  messageId: '1560',
  actor: { type, id: 'x', name },
  text: 'Which day?',
});

describe('a message in a mention room', () => {
  it.each([
    ['nuq list /Docs', 'list /Docs'],
    ['NuQ, list /Docs', 'list /Docs'],
    ['@nuq: list /Docs', 'list /Docs'],
    ['  @NUQ   list /Docs', 'list /Docs'],
    ['hey nuq list /Docs', 'list /Docs'],
    ['nuq', ''],
    ['please ask nuq to list /Docs', 'please ask nuq to list /Docs'],
    ['what does (NuQ) know?', 'what does (NuQ) know?'],
  ])('%j is for the bot, as %j', (text, rest) => {
    expect(addressedTo(bot, 'mention', message(text))).toEqual({ text: rest });
  });

  it.each(['nuqloud is great', 'anuq', 'mail nuq@example.org', 'hello', '', 'nuq-like things'])(
    '%j is not for the bot',
    (text) => {
      expect(addressedTo(bot, 'mention', message(text))).toBeUndefined();
    },
  );

  it('is for the bot when it quotes one of its messages, whoever else is named in it', () => {
    expect(addressedTo(bot, 'mention', message('Friday', quoted('bots', 'NuQ')))).toEqual({ text: 'Friday' });
  });

  it('is not for the bot when it quotes another bot, or a person of the same name', () => {
    expect(addressedTo(bot, 'mention', message('Friday', quoted('bots', 'Other')))).toBeUndefined();
    expect(addressedTo(bot, 'mention', message('Friday', quoted('users', 'NuQ')))).toBeUndefined();
    expect(addressedTo(bot, 'mention', message('Friday', quoted('guests', 'NuQ')))).toBeUndefined();
  });
});

describe('a room mode', () => {
  it('"always" takes everything, without a leading trigger', () => {
    expect(addressedTo(bot, 'always', message('hello'))).toEqual({ text: 'hello' });
    expect(addressedTo(bot, 'always', message('@nuq hello'))).toEqual({ text: 'hello' });
  });

  it('"off" takes nothing, not even a direct call', () => {
    expect(addressedTo(bot, 'off', message('@nuq hello'))).toBeUndefined();
    expect(addressedTo(bot, 'off', message('hello', quoted('bots', 'NuQ')))).toBeUndefined();
  });
});

it('never throws and never invents text, whatever is written', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('mention' as const, 'always' as const),
      (text, mode) => {
        const addressed = addressedTo(bot, mode, message(text));
        if (addressed) expect(text).toContain(addressed.text);
      },
    ),
  );
});
