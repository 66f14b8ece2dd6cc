import type { AnsweredCall, PlannedAction, PlannedTarget } from '@nuqloud/contracts';
import { withoutDependents } from './dependent-proposals';

const ACTION: PlannedAction = {
  v: 1,
  provider: 'files',
  tool: 'files_delete',
  arguments: {},
  targets: [],
  sub: 'users/alice',
  instance: 'default',
  bot: 'nuq',
  room: 'x7k2m9pq',
  message: '1',
  mode: 'user',
  profile: null,
  uid: 'alice',
  effectHash: '0'.repeat(64),
};

const planned = (name: string, id = name, over: Partial<PlannedTarget> = {}): AnsweredCall => {
  const action = { ...ACTION, targets: [{ id, name, revision: '"e"', ...over }] };
  const effect = { verb: 'files.delete', target: name, facts: [] };
  const claims = {
    ...{ iss: 'tool-files', aud: 'confirmation', jti: 'j'.repeat(16), iat: 1, exp: 2 },
    actions: [{ action, hash: '0'.repeat(64), effect }],
  };
  const plan = `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;
  return { id: name, name: 'files_delete', text: 'asked', isError: false, proposal: { plan } };
};

const kept = (...answers: AnsweredCall[]): boolean[] =>
  withoutDependents(answers).map(({ proposal, isError }) => proposal !== undefined && !isError);

it.each<[string, AnsweredCall[], boolean[]]>([
  ['the same file twice', [planned('/a'), planned('/a')], [true, false]],
  ['a file under two names', [planned('/a', '7'), planned('/b', '7')], [true, false]],
  ['a file, then its folder', [planned('/A/x'), planned('/A')], [true, false]],
  ['a folder, then something in it', [planned('/A'), planned('/A/x')], [true, false]],
  ['neighbours', [planned('/A/x'), planned('/A/y'), planned('/Ab')], [true, true, true]],
  ['new files, which have no id yet', [planned('/a', ''), planned('/b', '')], [true, true]],
  ['the same twice, then another', [planned('/a'), planned('/a'), planned('/b')], [true, false, true]],
])('of %s each is asked for that leaves the others as they are', (_what, answers, expected) => {
  expect(kept(...answers)).toEqual(expected);
});

it('says to the model that it was not asked for, and why', () => {
  expect(withoutDependents([planned('/a'), planned('/a')])[1]?.text).toMatch(
    /^Error: Not asked for and not done/,
  );
});

it('leaves what is no plan that it can read', () => {
  const odd = { ...planned('/a'), proposal: { plan: 'x' } };
  expect(withoutDependents([odd, odd])).toEqual([odd, odd]);
});
