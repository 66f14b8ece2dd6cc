import { answers } from '../stores/local-store';
import { REDIS_VARIABLE, sharedUrl } from './shared-stores';

/**
 * The URL of an empty Redis database that no test file of another worker uses at the same time.
 * A Redis named by `REDIS_URL` is given as it is: we do not empty what is not ours.
 */
export async function createTestRedis(): Promise<string> {
  if (process.env.REDIS_URL) return process.env.REDIS_URL;
  const url = new URL(sharedUrl(REDIS_VARIABLE));
  const database = process.env.JEST_WORKER_ID ?? '1';
  const orders = `AUTH ${url.password}\r\nSELECT ${database}\r\nFLUSHDB\r\n`;
  if (!(await answers(Number(url.port), orders, '+OK\r\n+OK\r\n+OK'))) {
    throw new Error('The Redis of this test run did not give an empty database.');
  }
  url.pathname = `/${database}`;
  return url.href;
}
