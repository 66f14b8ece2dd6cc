import { FaultPlan } from './fault-plan';

const subject = { method: 'GET', path: '/remote.php/dav/files/alice/a.txt', user: 'alice' };

describe('FaultPlan', () => {
  it('hits as often as it was told and then no more', () => {
    const plan = new FaultPlan();
    plan.add({ match: {}, status: 503, times: 2 });
    expect(
      [plan.take(subject), plan.take(subject), plan.take(subject)].map((fault) => fault?.status),
    ).toEqual([503, 503, undefined]);
  });

  it.each([
    [{ method: 'get' }, true],
    [{ method: 'PUT' }, false],
    [{ user: 'alice' }, true],
    [{ user: 'bob' }, false],
    [{ path: '/remote.php/dav' }, true],
    [{ path: '/ocs' }, false],
    [{ path: '/remote.php/*/a.txt' }, true],
    [{ path: '/remote.php/*/b.txt' }, false],
    [{ path: '*a.tx' }, false],
    [{ path: '/remote.php/dav/files/alice/a?txt*' }, false],
    [{ method: 'GET', path: '/remote.php', user: 'alice' }, true],
  ])('with the match %j it hits: %s', (match, expected) => {
    const plan = new FaultPlan();
    plan.add({ match, times: 1 });
    expect(plan.take(subject) !== undefined).toBe(expected);
  });

  it('forgets everything when it is cleared', () => {
    const plan = new FaultPlan();
    plan.add({ match: {}, times: 1 });
    plan.clear();
    expect(plan.take(subject)).toBeUndefined();
  });
});
