import { findMentions } from './mentions';

describe('findMentions', () => {
  it('finds every way to write a mention', () => {
    const text =
      '@bob @"alice smith" @all @"guest/7f3a" @"federated_user/dana@other.example.org" @"group/staff" @"email/ab12" @"team/x1"';
    expect(
      findMentions(text)
        .map(({ type, id }) => `${type}:${id}`)
        .sort(),
    ).toEqual([
      'email:ab12',
      'federated_user:dana@other.example.org',
      'group:staff',
      'guest:7f3a',
      'team:x1',
      'user:alice smith',
      'user:all',
      'user:bob',
    ]);
  });

  it('orders them by length, the longest first, and names each once', () => {
    expect(findMentions('@bob and @carol, again @bob').map(({ written }) => written)).toEqual([
      '@carol',
      '@bob',
    ]);
  });

  it.each(['mail bob@example.org', 'x@bob', '(@bob', '@', '@"', '@"open', '@"guest/zz"', '@"group/"'])(
    'finds none in %j',
    (text) => {
      expect(findMentions(text)).toEqual([]);
    },
  );

  it('takes the full stop after an unquoted id as part of it, as Nextcloud does', () => {
    expect(findMentions('ask @bob.')).toEqual([{ written: '@bob.', type: 'user', id: 'bob.' }]);
  });
});
