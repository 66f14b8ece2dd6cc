import type { ChatEventBody } from '@nuqloud/contracts';
import { inboxKey } from './inbox-key';

const reaction = (emoji: string, id = 'alice'): ChatEventBody => ({
  v: 1,
  kind: 'reaction_added',
  instance: 'default',
  bot: 'nuq',
  room: 'x7k2m9pq',
  roomName: 'Team',
  receivedAt: '2026-11-30T12:00:00.000Z',
  actor: { type: 'users', id, name: id, moderator: false },
  messageId: '7',
  reaction: emoji,
  attestation: 'token',
});

it('keeps a reaction once for each person and emoji', () => {
  expect(inboxKey(reaction('👍'))).toBe(inboxKey(reaction('👍')));
  expect(inboxKey(reaction('👍'))).not.toBe(inboxKey(reaction('👎')));
  expect(inboxKey(reaction('👍'))).not.toBe(inboxKey(reaction('👍', 'bob')));
});

it('leaves the sign that the bot itself gives alone', () => {
  expect(inboxKey(reaction('👀'))).toBeUndefined();
});
