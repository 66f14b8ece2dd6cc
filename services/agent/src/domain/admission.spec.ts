import { admit, needsGroups } from './admission';

const user = { type: 'users', id: 'alice' };

it('admits every local user where everyone may', () => {
  expect(admit({ users: 'everyone', guests: false }, user, [])).toEqual({ admitted: true, tools: true });
});

it('compares user ids exactly', () => {
  const bot = { users: { users: ['Alice'] }, guests: false };
  expect(admit(bot, user, [])).toEqual({ admitted: false, reason: 'not-allowed' });
  expect(admit(bot, { type: 'users', id: 'Alice' }, [])).toMatchObject({ admitted: true });
});

it('admits members of a named group only', () => {
  const bot = { users: { groups: ['team'] }, guests: true };
  expect(admit(bot, user, ['team'])).toMatchObject({ admitted: true });
  expect(admit(bot, user, ['other'])).toEqual({ admitted: false, reason: 'not-allowed' });
  expect(needsGroups(bot.users)).toBe(true);
});

it.each(['guests', 'federated_users', 'emails', 'bots', 'bridged', 'deleted_users', 'phones'])(
  'never gives tools to %s, even with the id of a user',
  (type) => {
    expect(admit({ users: 'everyone', guests: false }, { type, id: 'alice' }, [])).toEqual({
      admitted: false,
      reason: 'guest',
    });
    expect(admit({ users: 'everyone', guests: true }, { type, id: 'alice' }, [])).toEqual({
      admitted: true,
      tools: false,
    });
  },
);
