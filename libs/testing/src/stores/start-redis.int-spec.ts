import { createClient } from 'redis';

import { createTestRedis } from '../jest/test-redis';
import type { RunningStore } from './local-store';
import { startRedis } from './start-redis';
import { StoreMissing } from './store-errors';

const withClient = async <T>(url: string, use: (client: ReturnType<typeof createClient>) => Promise<T>) => {
  const client = createClient({ url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.close();
  }
};

describe('startRedis', () => {
  let redis: RunningStore;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  it('gives a server that answers', async () => {
    expect(await withClient(redis.url, (client) => client.ping())).toBe('PONG');
  });

  it('lets nobody in without the password', async () => {
    const connecting = withClient(`redis://127.0.0.1:${redis.port}`, (client) => client.get('key'));
    await expect(connecting).rejects.toThrow(/NOAUTH/);
  });

  it('is empty, on the same port, after a crash', async () => {
    await withClient(redis.url, (client) => client.set('key', 'value'));
    await redis.restart();
    expect(await withClient(redis.url, (client) => client.get('key'))).toBeNull();
  });

  it('says how to install a server that is not there', async () => {
    process.env.REDIS_SERVER_BIN = '/nowhere/redis-server';
    try {
      await expect(startRedis()).rejects.toThrow(StoreMissing);
    } finally {
      delete process.env.REDIS_SERVER_BIN;
    }
  });
});

describe('createTestRedis', () => {
  it('gives an empty database, whatever an earlier test file left in it', async () => {
    const url = await createTestRedis();
    await withClient(url, (client) => client.set('left', 'over'));
    expect(await createTestRedis()).toBe(url);
    expect(await withClient(url, (client) => client.get('left'))).toBeNull();
  });
});
