import { FailureCounter } from './failure-counter';

const MINUTE = 60_000;

describe('FailureCounter', () => {
  it('blocks an address after more than ten failures, and only that one', () => {
    const counter = new FailureCounter();
    for (let n = 0; n < 10; n += 1) counter.count('10.0.0.1', 0);
    expect(counter.isBlocked('10.0.0.1', 0)).toBe(false);
    counter.count('10.0.0.1', 0);
    expect(counter.isBlocked('10.0.0.1', MINUTE)).toBe(true);
    expect(counter.isBlocked('10.0.0.2', MINUTE)).toBe(false);
  });

  it('forgets a failure after half an hour', () => {
    const counter = new FailureCounter();
    for (let n = 0; n < 11; n += 1) counter.count('10.0.0.1', n * MINUTE);
    expect(counter.isBlocked('10.0.0.1', 20 * MINUTE)).toBe(true);
    expect(counter.isBlocked('10.0.0.1', 31 * MINUTE)).toBe(false);
  });
});
