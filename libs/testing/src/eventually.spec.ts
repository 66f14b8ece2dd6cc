import { eventually } from './eventually';

describe('eventually', () => {
  it('gives back the first result that is not false, null or undefined', async () => {
    const results = [false, null, undefined, 0];
    expect(await eventually(() => results.shift(), { describe: 'a result' })).toBe(0);
  });

  it('takes an error for "not yet"', async () => {
    let calls = 0;
    const check = () => {
      calls += 1;
      if (calls < 3) throw new Error('still away');
      return 'here';
    };
    expect(await eventually(check, { describe: 'an arrival' })).toBe('here');
  });

  it('says what did not happen, and why, when the deadline has passed', async () => {
    const cause = new Error('the room is empty');
    const waiting = eventually(() => Promise.reject<boolean>(cause), {
      describe: 'an answer',
      deadlineMs: 30,
    });
    await expect(waiting).rejects.toMatchObject({
      message: 'an answer did not happen within 30 ms: the room is empty',
      cause,
    });
  });

  it('asks at least once, also when the deadline is over at once', async () => {
    expect(await eventually(() => true, { describe: 'a fact', deadlineMs: 0 })).toBe(true);
  });
});
