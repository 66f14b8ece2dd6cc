import { Readable } from 'node:stream';
import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import { GatewayRefusal } from '../domain/gateway-refusal';
import type { Instance } from '../domain/instance';
import { Nextcloud } from '../ports/nextcloud';
import type { NextcloudAnswer } from '../ports/nextcloud';
import { KnownPeople } from './known-people';

const INSTANCE: Instance = {
  id: 'default',
  baseUrl: { origin: 'http://nextcloud.test', path: '' },
  appApi: { id: 'nuqloud_ai', version: '0.1.0', secret: 's' },
};

type Answer = () => Promise<{ status: number; body: string }>;

class ScriptedNextcloud extends Nextcloud {
  readonly asked: (string | null)[] = [];
  answer: Answer = () => user({ id: 'alice' });

  override async send(_instance: Instance, uid: string | null): Promise<NextcloudAnswer> {
    this.asked.push(uid);
    const { status, body } = await this.answer();
    return { status, headers: {}, body: Readable.from([Buffer.from(body)]) };
  }
}

const user = (data: object): ReturnType<Answer> =>
  Promise.resolve({ status: 200, body: JSON.stringify({ ocs: { meta: {}, data } }) });
const refuse = (code: keyof typeof GATEWAY_REFUSALS) => () =>
  Promise.reject(new GatewayRefusal(GATEWAY_REFUSALS[code], 'no'));

const setUp = () => {
  const nextcloud = new ScriptedNextcloud();
  const clock = { now: 1_800_000_000_000 };
  return { nextcloud, clock, people: new KnownPeople(nextcloud, () => clock.now) };
};

describe('KnownPeople', () => {
  it('asks Nextcloud as that person, once in five minutes', async () => {
    const { people, nextcloud, clock } = setUp();
    await people.confirm(INSTANCE, 'alice');
    clock.now += 4 * 60_000;
    await people.confirm(INSTANCE, 'alice');
    expect(nextcloud.asked).toEqual(['alice']);
    clock.now += 2 * 60_000;
    await people.confirm(INSTANCE, 'alice');
    expect(nextcloud.asked).toHaveLength(2);
  });

  it('asks once for requests that come together, and per instance and person', async () => {
    const { people, nextcloud } = setUp();
    await Promise.all([people.confirm(INSTANCE, 'alice'), people.describe(INSTANCE, 'alice')]);
    expect(nextcloud.asked).toEqual(['alice']);
    await people.confirm({ ...INSTANCE, id: 'other' }, 'alice');
    nextcloud.answer = () => user({ id: 'bob' });
    await people.confirm(INSTANCE, 'bob');
    expect(nextcloud.asked).toEqual(['alice', 'alice', 'bob']);
  });

  it.each(['alice', 'ALICE', 'alice ', 'bob'])('refuses Alice where Nextcloud says %j', async (id) => {
    const { people, nextcloud } = setUp();
    nextcloud.answer = () => user({ id });
    const refusal = { code: GATEWAY_REFUSALS.NOT_THAT_PERSON, status: 403, retryable: false };
    await expect(people.confirm(INSTANCE, 'Alice')).rejects.toMatchObject(refusal);
    await expect(people.describe(INSTANCE, 'Alice')).rejects.toMatchObject(refusal);
    expect(nextcloud.asked).toHaveLength(1);
  });

  it('does not try a refused login again at once', async () => {
    const { people, nextcloud, clock } = setUp();
    nextcloud.answer = refuse('CREDENTIALS_REFUSED');
    await expect(people.confirm(INSTANCE, 'alice')).rejects.toMatchObject({ status: 502 });
    nextcloud.answer = () => user({ id: 'alice' });
    await expect(people.confirm(INSTANCE, 'alice')).rejects.toMatchObject({ status: 502 });
    expect(nextcloud.asked).toHaveLength(1);
    clock.now += 31_000;
    await people.confirm(INSTANCE, 'alice');
  });

  it('asks again at once after a trouble that passes', async () => {
    const { people, nextcloud } = setUp();
    nextcloud.answer = refuse('UNREACHABLE');
    await expect(people.confirm(INSTANCE, 'alice')).rejects.toMatchObject({ retryable: true });
    nextcloud.answer = () => user({ id: 'alice' });
    await people.confirm(INSTANCE, 'alice');
  });

  it('describes a person with what Nextcloud said within the last minute', async () => {
    const { people, nextcloud, clock } = setUp();
    nextcloud.answer = () => user({ id: 'alice', displayname: 'Alice', language: 'de', groups: ['team'] });
    await people.confirm(INSTANCE, 'alice');
    const described = { uid: 'alice', displayName: 'Alice', language: 'de', zone: null, groups: ['team'] };
    await expect(people.describe(INSTANCE, 'alice')).resolves.toMatchObject(described);
    expect(nextcloud.asked).toHaveLength(1);
    clock.now += 61_000;
    nextcloud.answer = () => user({ id: 'alice', displayname: 'Alice', language: 'de', groups: [] });
    await expect(people.describe(INSTANCE, 'alice')).resolves.toMatchObject({ groups: [] });
  });

  it.each([
    ['maintenance', 503, '', 'UNREACHABLE'],
    ['a page', 200, '<html>', 'UNREADABLE_ANSWER'],
    ['another shape', 200, '{"ocs":{"data":[]}}', 'UNREADABLE_ANSWER'],
    ['an unknown status', 404, '', 'UNREADABLE_ANSWER'],
    ['an endless answer', 200, ' '.repeat(2_000_000), 'UNREADABLE_ANSWER'],
  ] as const)('refuses everybody when Nextcloud answers with %s', async (_what, status, body, code) => {
    const { people, nextcloud } = setUp();
    nextcloud.answer = () => Promise.resolve({ status, body });
    await expect(people.confirm(INSTANCE, 'alice')).rejects.toMatchObject({ code: GATEWAY_REFUSALS[code] });
  });
});
