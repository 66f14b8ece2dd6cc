import { BackOff } from './back-off';

const NOW = Date.parse('2026-03-02T09:00:00Z');

describe('BackOff', () => {
  it('waits as long as Nextcloud says, for that instance only', () => {
    const backOff = new BackOff();
    expect(backOff.pause('a', '30', NOW)).toBe(30);
    expect(backOff.remainingS('a', NOW)).toBe(30);
    expect(backOff.remainingS('a', NOW + 29_500)).toBe(1);
    expect(backOff.remainingS('a', NOW + 30_000)).toBe(0);
    expect(backOff.remainingS('b', NOW)).toBe(0);
  });

  it('understands a date', () => {
    expect(new BackOff().pause('a', 'Mon, 02 Mar 2026 09:00:45 GMT', NOW)).toBe(45);
  });

  it('waits a little without a readable header, and never longer than two minutes', () => {
    expect(new BackOff().pause('a', undefined, NOW)).toBe(10);
    expect(new BackOff().pause('a', 'soon', NOW)).toBe(10);
    expect(new BackOff().pause('a', '0', NOW)).toBe(1);
    expect(new BackOff().pause('a', '-5', NOW)).toBe(10);
    expect(new BackOff().pause('a', '2027-01-01', NOW)).toBe(10);
    expect(new BackOff().pause('a', '86400', NOW)).toBe(120);
    expect(new BackOff().pause('a', 'Mon, 02 Mar 2026 08:00:00 GMT', NOW)).toBe(1);
  });

  it('is not shortened by a later, shorter answer', () => {
    const backOff = new BackOff();
    backOff.pause('a', '60', NOW);
    backOff.pause('a', '5', NOW + 1_000);
    expect(backOff.remainingS('a', NOW + 1_000)).toBe(59);
  });
});
