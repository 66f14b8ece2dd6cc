import fc from 'fast-check';
import { isBot, parseActor } from './talk-actor';

describe('parseActor', () => {
  it.each([
    ['users/alice', { type: 'users', id: 'alice' }],
    ['users/Alice Smith@x', { type: 'users', id: 'Alice Smith@x' }],
    ['guests/7f3a', { type: 'guests', id: '7f3a' }],
    [
      'federated_users/bob@other.example.org/nextcloud',
      { type: 'federated_users', id: 'bob@other.example.org/nextcloud' },
    ],
    ['bridged/bridge-bot', { type: 'bridged', id: 'bridge-bot' }],
    ['deleted_users/deleted_users', { type: 'deleted_users', id: 'deleted_users' }],
  ])('reads %s', (actor, expected) => {
    expect(parseActor(actor)).toEqual(expected);
  });

  it('takes the account of the bridge for no local user', () => {
    expect(parseActor('users/bridge-bot')).toEqual({ type: 'bridged', id: 'bridge-bot' });
  });

  it.each([
    '',
    'alice',
    '/alice',
    'users/',
    'Users/alice',
    'users /alice',
    'users/a\0b',
    `users/${'a'.repeat(1025)}`,
  ])('finds nobody in %j', (actor) => {
    expect(parseActor(actor)).toBeUndefined();
  });

  it('splits at the first slash only and keeps the id as it is', () => {
    const types = fc.constantFrom('users', 'guests', 'emails', 'federated_users');
    const ids = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 200 })
      .filter((id) => !id.includes('\0'));
    fc.assert(
      fc.property(types, ids, (type, id) => {
        fc.pre(id !== 'bridge-bot');
        expect(parseActor(`${type}/${id}`)).toEqual({ type, id });
      }),
    );
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (actor) => void parseActor(actor)));
  });
});

describe('isBot', () => {
  it.each([
    [{ type: 'Application', id: 'users/alice' }, true],
    [{ type: 'Person', id: 'bots/bot-1' }, true],
    [{ type: 'Person', id: 'users/bots/x' }, false],
  ])('%j: %s', (actor, expected) => {
    expect(isBot(actor)).toBe(expected);
  });
});
