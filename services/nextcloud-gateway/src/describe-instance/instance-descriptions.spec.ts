import { Readable } from 'node:stream';
import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import { createLogger } from '@nuqloud/platform';
import { GatewayRefusal } from '../domain/gateway-refusal';
import type { Instance } from '../domain/instance';
import { InstanceDirectory } from '../ports/instance-directory';
import { Nextcloud } from '../ports/nextcloud';
import type { NextcloudAnswer } from '../ports/nextcloud';
import { InstanceDescriptions } from './instance-descriptions';

class AnyInstance extends InstanceDirectory {
  override ids = () => Promise.resolve(['default']);

  override get(id: string): Promise<Instance> {
    return Promise.resolve({ id, baseUrl: { origin: 'http://nextcloud.test', path: '' }, appApi: null });
  }
}

class ScriptedNextcloud extends Nextcloud {
  readonly asked: (string | null)[] = [];
  version: string | Error = '32.0.1';

  override send(_instance: Instance, uid: string | null): Promise<NextcloudAnswer> {
    this.asked.push(uid);
    if (this.version instanceof Error) return Promise.reject(this.version);
    const version = { major: Number.parseInt(this.version, 10), string: this.version };
    const capabilities = { spreed: {}, files: {}, deck: {} };
    const body = Buffer.from(JSON.stringify({ ocs: { meta: {}, data: { version, capabilities } } }));
    return Promise.resolve({ status: 200, headers: {}, body: Readable.from([body]) });
  }
}

const setUp = () => {
  const nextcloud = new ScriptedNextcloud();
  const clock = { now: 1_800_000_000_000 };
  const logger = createLogger({ service: 'test', level: 'silent' });
  const descriptions = new InstanceDescriptions(new AnyInstance(), nextcloud, logger, () => clock.now);
  return { nextcloud, clock, descriptions };
};

/** Lets the refresh in the background come to its end. */
const settle = () => new Promise((resolve) => setImmediate(resolve));
const down = new GatewayRefusal(GATEWAY_REFUSALS.UNREACHABLE, 'down');

describe('InstanceDescriptions', () => {
  it('tells version and apps, asked for without any login', async () => {
    const { descriptions, nextcloud } = setUp();
    await expect(descriptions.describe('default')).resolves.toEqual({
      v: 1,
      instance: 'default',
      nextcloud: { major: 32, version: '32.0.1' },
      apps: ['deck', 'files', 'spreed'],
    });
    expect(nextcloud.asked).toEqual([null]);
  });

  it('asks once a minute, in the background', async () => {
    const { descriptions, nextcloud, clock } = setUp();
    await Promise.all([descriptions.describe('default'), descriptions.describe('default')]);
    nextcloud.version = '33.0.0';
    clock.now += 59_000;
    expect((await descriptions.describe('default')).nextcloud.major).toBe(32);
    expect(nextcloud.asked).toHaveLength(1);
    clock.now += 2_000;
    expect((await descriptions.describe('default')).nextcloud.major).toBe(32);
    await settle();
    expect((await descriptions.describe('default')).nextcloud.major).toBe(33);
    expect(nextcloud.asked).toHaveLength(2);
  });

  it('tells what it knew while Nextcloud is away, but not for ever', async () => {
    const { descriptions, nextcloud, clock } = setUp();
    await descriptions.describe('default');
    nextcloud.version = down;
    clock.now += 5 * 60_000;
    await expect(descriptions.describe('default')).resolves.toMatchObject({ nextcloud: { major: 32 } });
    await settle();
    clock.now += 6 * 60_000;
    await expect(descriptions.describe('default')).rejects.toMatchObject({ retryable: true });
  });

  it('says that asking again may help when Nextcloud is away from the start', async () => {
    const { descriptions, nextcloud } = setUp();
    nextcloud.version = down;
    await expect(descriptions.describe('default')).rejects.toMatchObject({
      code: GATEWAY_REFUSALS.UNREACHABLE,
      retryable: true,
    });
    nextcloud.version = '31.0.0';
    await expect(descriptions.describe('default')).resolves.toMatchObject({ nextcloud: { major: 31 } });
  });
});
