import type { AppLoginVerdict } from '@nuqloud/contracts';
import { AppError, createLogger } from '@nuqloud/platform';
import { AuthenticateApp } from './authenticate-app';

const ACCEPTED: AppLoginVerdict = { v: 1, accepted: true, instance: 'default' };

const headers = (secret = 'secret') => ({
  'ex-app-id': 'nuqloud_ai',
  'ex-app-version': '0.1.0',
  'authorization-app-api': Buffer.from(`:${secret}`).toString('base64'),
});

const setUp = () => {
  const lines: string[] = [];
  const asked: string[] = [];
  const state = { now: 0, verdict: ACCEPTED as AppLoginVerdict | AppError };
  const gateway = {
    verify: ({ secret }: { secret: string }) => {
      asked.push(secret);
      return state.verdict instanceof AppError
        ? Promise.reject(state.verdict)
        : Promise.resolve(state.verdict);
    },
  };
  const logger = createLogger(
    { service: 'test', level: 'trace' },
    { write: (line: string) => void lines.push(line) },
  );
  const apps = new AuthenticateApp(gateway, logger, () => state.now);
  return { apps, asked, lines, state };
};

describe('AuthenticateApp', () => {
  it('asks the gateway once a minute about a login that was right', async () => {
    const { apps, asked, state } = setUp();
    for (let i = 0; i < 3; i += 1)
      expect(await apps.authenticate(headers(), 'x')).toEqual({ instance: 'default', requestId: undefined });
    expect(asked).toHaveLength(1);
    state.now = 60_000;
    await apps.authenticate(headers(), 'x');
    expect(asked).toHaveLength(2);
  });

  it('asks about every other one, each time', async () => {
    const { apps, asked, state } = setUp();
    await apps.authenticate(headers(), 'x');
    state.verdict = { v: 1, accepted: false, reason: 'WRONG_SECRET' };
    for (let i = 0; i < 2; i += 1)
      expect(await apps.authenticate(headers('wrong'), 'x')).toEqual({ refused: 'WRONG_SECRET' });
    expect(asked).toEqual(['secret', 'wrong', 'wrong']);
  });

  it('asks nothing about headers that can be no login', async () => {
    const { apps, asked } = setUp();
    expect(await apps.authenticate({}, 'x')).toEqual({ refused: 'NO_APP_ID' });
    expect(asked).toEqual([]);
  });

  it('does not call a login wrong that nobody could judge', async () => {
    const { apps, state } = setUp();
    state.verdict = new AppError('BUS.NO_RESPONDERS', 'nobody', { retryable: true });
    expect(await apps.authenticate(headers(), 'x')).toEqual({ refused: 'NOT_VERIFIED' });
  });

  it('logs the call and the reason, both versions where they differ, and never what the header held', async () => {
    const { apps, lines, state } = setUp();
    state.verdict = { v: 1, accepted: false, reason: 'WRONG_VERSION', expected: '0.2.0' };
    await apps.authenticate(headers('canary'), 'POST /talk_bot');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      event: 'app.refused',
      reason: 'WRONG_VERSION',
      call: 'POST /talk_bot',
      version: '0.1.0',
      expected: '0.2.0',
    });
    expect(lines.join()).not.toMatch(/canary|OmNhbmFyeQ/);
  });
});
