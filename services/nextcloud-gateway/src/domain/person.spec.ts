import { CloudUser, describePerson } from './person';

const described = (data: Record<string, unknown>) =>
  describePerson(CloudUser.parse({ ocs: { meta: {}, data: { id: 'alice', ...data } } }).ocs.data);

describe('describePerson', () => {
  it('reads what a current server says', () => {
    const data = {
      displayname: 'Alice Adams',
      'display-name': 'Alice Adams',
      language: 'de_DE',
      timezone: 'Europe/Berlin',
      groups: ['team', 'staff'],
    };
    expect(described(data)).toEqual({
      v: 1,
      uid: 'alice',
      displayName: 'Alice Adams',
      language: 'de-DE',
      zone: 'Europe/Berlin',
      groups: ['team', 'staff'],
    });
  });

  it('makes do with what an old server says', () => {
    expect(described({ 'display-name': 'Alice', language: 'en' })).toEqual({
      v: 1,
      uid: 'alice',
      displayName: 'Alice',
      language: 'en',
      zone: null,
      groups: [],
    });
    expect(described({}).displayName).toBe('alice');
  });

  it.each([
    ['', 'en'],
    [null, 'en'],
    ['pt_BR', 'pt-BR'],
    ['sr@latin', 'sr-Latn'],
    ['x!', 'en'],
  ])('takes the language %j for %s', (language, tag) => {
    expect(described({ language }).language).toBe(tag);
  });

  it.each(['', null, 'Mars/Olympus', '+02:00'])('knows no zone for %j', (timezone) => {
    expect(described({ timezone }).zone).toBeNull();
  });
});
