import { accessFact, showSharee } from './access';

it('names twenty and counts the others, each once', () => {
  const names = Array.from({ length: 25 }, (_, index) => `person ${index}`);
  expect(accessFact([...names, ...names])).toEqual({ kind: 'access', names: names.slice(0, 20), more: 5 });
  expect(accessFact([])).toEqual({ kind: 'access', names: [], more: 0 });
});

it.each([
  [{ kind: 'user', with: 'bob', name: 'Bob' }, 'Bob'],
  [{ kind: 'user', with: 'bob', name: '' }, 'bob'],
  [{ kind: 'group', with: 'team', name: 'The team' }, 'The team (group)'],
  [{ kind: 'room', with: 'abc', name: 'Plans' }, 'Plans (Talk room)'],
  [{ kind: 'email', with: 'a@b.example', name: 'a@b.example' }, 'a@b.example (e-mail)'],
  [{ kind: 'federated', with: 'bob@other.example', name: '' }, 'bob@other.example'],
  [{ kind: 'other', with: '', name: '' }, 'somebody'],
  [{ kind: 'link', with: 'hash of a password', name: '' }, 'public link'],
] as const)('shows %j as %s', (share, shown) => {
  expect(showSharee({ ...share, canWrite: false })).toBe(shown);
});
