import { judgeDelivery, mayHavePosted } from './judge-delivery';
import type { AttemptedPost } from './judge-delivery';

const HOUR_MS = 3_600_000;
const post = (more: Partial<AttemptedPost> = {}): AttemptedPost => ({
  isReaction: false,
  isRemoval: false,
  isReply: false,
  attempts: 1,
  ageMs: 0,
  refusals: 0,
  ...more,
});

describe('judgeDelivery', () => {
  it.each([200, 201])('has sent after %d', (status) => {
    expect(judgeDelivery(post(), { status })).toEqual({ next: 'sent' });
  });

  it.each([400, 403, 404, 413])('gives up at once after %d', (status) => {
    expect(judgeDelivery(post(), { status })).toEqual({ next: 'failed', reason: `HTTP_${status}` });
  });

  it.each([302, 408, 500, 503])('tries again after %d', (status) => {
    expect(judgeDelivery(post(), { status })).toMatchObject({
      next: 'again',
      reason: `HTTP_${status}`,
      delayMs: 1_000,
    });
  });

  it.each(['TIMEOUT', 'NETWORK'] as const)('posts again after the unknown outcome %s', (unreachable) => {
    expect(judgeDelivery(post(), { unreachable })).toMatchObject({ next: 'again', reason: unreachable });
  });

  it('waits twice as long after each try, at most a minute', () => {
    const delays = [1, 2, 3, 6, 7, 50].map((attempts) => judgeDelivery(post({ attempts }), { status: 503 }));
    expect(delays.map((verdict) => verdict.next === 'again' && verdict.delayMs)).toEqual([
      1_000, 2_000, 4_000, 32_000, 60_000, 60_000,
    ]);
  });

  it('waits as long as Talk asks, and the whole bot with it after 429', () => {
    expect(judgeDelivery(post(), { status: 503, retryAfterMs: 120_000 })).toEqual({
      next: 'again',
      reason: 'HTTP_503',
      delayMs: 120_000,
      withoutReply: false,
    });
    expect(judgeDelivery(post(), { status: 429, retryAfterMs: 90_000 })).toMatchObject({
      delayMs: 90_000,
      pauseMs: 90_000,
    });
    expect(judgeDelivery(post({ attempts: 3 }), { status: 429 })).toMatchObject({
      delayMs: 4_000,
      pauseMs: 4_000,
    });
  });

  it('gives up when the next try would come an hour after the request', () => {
    expect(judgeDelivery(post({ ageMs: HOUR_MS - 1_000 }), { status: 503 }).next).toBe('again');
    expect(judgeDelivery(post({ ageMs: HOUR_MS - 999 }), { status: 503 })).toEqual({
      next: 'failed',
      reason: 'HTTP_503',
    });
    expect(judgeDelivery(post(), { status: 429, retryAfterMs: 2 * HOUR_MS })).toMatchObject({
      next: 'failed',
      pauseMs: HOUR_MS / 2,
    });
  });

  it('tries once more without the reply when the message replied to may be gone', () => {
    expect(judgeDelivery(post({ isReply: true }), { status: 400 })).toEqual({
      next: 'again',
      reason: 'HTTP_400',
      delayMs: 0,
      withoutReply: true,
    });
  });

  it.each([
    [0, 10_000],
    [1, 20_000],
    [4, 160_000],
    [8, 1_800_000],
    [99, 1_800_000],
  ])('after a refused signature and %d before, the bot waits %d ms', (refusals, pauseMs) => {
    expect(judgeDelivery(post({ refusals }), { status: 401 })).toEqual({
      next: 'refused',
      reason: 'HTTP_401',
      pauseMs,
    });
  });

  it('offers Talk fewer than ten wrong signatures in any half hour', () => {
    const times: number[] = [];
    for (let at = 0, refusals = 0; at < 24 * HOUR_MS; refusals++) {
      times.push(at);
      const verdict = judgeDelivery(post({ refusals }), { status: 401 });
      at += verdict.next === 'refused' ? verdict.pauseMs : 0;
    }
    const most = Math.max(
      ...times.map((from) => times.filter((at) => at >= from && at < from + HOUR_MS / 2).length),
    );
    expect(most).toBeLessThan(10);
  });

  it.each([{ status: 503 }, { status: 404 }, { unreachable: 'TIMEOUT' as const }])(
    'never holds up a room for a reaction (%j)',
    (answer) => {
      expect(judgeDelivery(post({ isReaction: true }), answer).next).toBe('failed');
    },
  );

  it('has removed a reaction that is not there', () => {
    expect(judgeDelivery(post({ isReaction: true, isRemoval: true }), { status: 404 })).toEqual({
      next: 'sent',
    });
  });
});

describe('mayHavePosted', () => {
  it.each([
    { unreachable: 'TIMEOUT' },
    { unreachable: 'NETWORK' },
    { status: 500 },
    { status: 504 },
    { status: 408 },
  ] as const)('is not ruled out by %j', (answer) => expect(mayHavePosted(answer)).toBe(true));

  it.each([302, 400, 401, 404, 413, 429])('is ruled out by %d', (status) => {
    expect(mayHavePosted({ status })).toBe(false);
  });
});
