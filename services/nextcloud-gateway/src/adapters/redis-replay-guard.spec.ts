import { Writable } from 'node:stream';
import { createLogger } from '@nuqloud/platform';
import { RedisReplayGuard } from './redis-replay-guard';
import type { TokenMemory } from './redis-replay-guard';

const NOW = 1_800_000_000_000;
const TOKEN = { issuer: 'tool-files', id: 'a-token-id-of-some-length' };

const setUp = (set: TokenMemory['set']) => {
  const lines: string[] = [];
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  const logger = createLogger({ service: 'test', level: 'warn' }, sink);
  return { lines, guard: new RedisReplayGuard({ set }, logger, () => NOW) };
};

describe('RedisReplayGuard', () => {
  it('remembers a token for as long as it is good', async () => {
    const set = jest.fn<Promise<string | null>, Parameters<TokenMemory['set']>>().mockResolvedValueOnce('OK');
    const { guard } = setUp(set);
    await expect(guard.isFirstUse(TOKEN, NOW / 1000 + 60)).resolves.toBe(true);
    expect(set).toHaveBeenCalledWith('gateway:token:tool-files:a-token-id-of-some-length', '1', {
      condition: 'NX',
      expiration: { type: 'EX', value: 61 },
    });
  });

  it('says no to a token that Redis knows', async () => {
    const { guard, lines } = setUp(() => Promise.resolve(null));
    await expect(guard.isFirstUse(TOKEN, NOW / 1000 + 60)).resolves.toBe(false);
    expect(lines).toEqual([]);
  });

  it('lets a token through while Redis is away, and says so in the log', async () => {
    const { guard, lines } = setUp(() => Promise.reject(new Error('closed')));
    await expect(guard.isFirstUse(TOKEN, NOW / 1000 + 60)).resolves.toBe(true);
    expect(lines.join('')).toContain('gateway.replay-check-left-out');
    expect(lines.join('')).not.toContain(TOKEN.id);
  });

  it('does not wait for a Redis that hangs', async () => {
    const { guard, lines } = setUp(() => new Promise(() => undefined));
    await expect(guard.isFirstUse(TOKEN, NOW / 1000 + 60)).resolves.toBe(true);
    expect(lines.join('')).toContain('REDIS.TIMEOUT');
  });
});
