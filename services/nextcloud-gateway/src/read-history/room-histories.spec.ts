import { Readable } from 'node:stream';
import { GATEWAY_REFUSALS } from '@nuqloud/contracts';
import { KnownPeople } from '../identify-person/known-people';
import type { Instance } from '../domain/instance';
import type { NextcloudAnswer, NextcloudRequest } from '../ports/nextcloud';
import { RoomHistories } from './room-histories';

const instance: Instance = {
  id: 'default',
  baseUrl: { origin: 'http://nextcloud.test', path: '' },
  appApi: { id: 'nuqloud_ai', version: '0.1.0', secret: 's' },
  historyReader: 'reader',
};

const message = (id: number, more: object = {}) => ({
  ...{
    id,
    token: 'x7k2m9pq',
    actorType: 'users',
    actorId: 'alice',
    actorDisplayName: 'Alice',
    timestamp: 1_772_442_900,
  },
  ...{ message: `text ${id}`, messageParameters: [], systemMessage: '', messageType: 'comment', ...more },
});

/** What Nextcloud was asked for the room, and as whom. */
let asked: { uid: string | null; path: string }[];

const historiesOf = (answer: { status: number; data?: unknown }, served: Instance = instance) => {
  asked = [];
  const ocs = (status: number, data: unknown): NextcloudAnswer => ({
    status,
    headers: {},
    body: Readable.from([Buffer.from(JSON.stringify({ ocs: { meta: {}, data } }))]),
  });
  const nextcloud = {
    send: (_instance: Instance, uid: string | null, { path }: NextcloudRequest) => {
      if (path.startsWith('/ocs/v2.php/cloud/user'))
        return Promise.resolve(ocs(200, { id: uid, displayname: uid, groups: [] }));
      asked.push({ uid, path });
      return Promise.resolve(ocs(answer.status, answer.data ?? null));
    },
  };
  const instances = {
    get: () => Promise.resolve(served),
    withAppId: () => Promise.resolve([served]),
    ids: () => Promise.resolve([served.id]),
  };
  return new RoomHistories(instances, new KnownPeople(nextcloud), nextcloud);
};

describe('the history of a room', () => {
  it('is read as the reader, and nothing of theirs is changed by that', async () => {
    const page = await historiesOf({ status: 200, data: [message(8), message(9)] }).read(
      'default',
      'x7k2m9pq',
      '7',
    );
    expect(page.messages.map(({ id }) => id)).toEqual([8, 9]);
    expect(page.next).toBe('9');
    expect(asked).toHaveLength(1);
    const [{ uid, path } = { uid: null, path: '' }] = asked;
    const url = new URL(path, 'http://nextcloud.test');
    expect([uid, url.pathname]).toEqual(['reader', '/ocs/v2.php/apps/spreed/api/v1/chat/x7k2m9pq']);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      lastKnownMessageId: '7',
      lookIntoFuture: '1',
      timeout: '0',
      setReadMarker: '0',
      markNotificationsAsRead: '0',
      noStatusUpdate: '1',
    });
  });

  it('has an end', async () => {
    const page = await historiesOf({ status: 304 }).read('default', 'x7k2m9pq', '9');
    expect(page).toEqual({ v: 1, messages: [], next: null });
  });

  it('leaves out what it cannot read and goes on behind it', async () => {
    const data = [message(8), message(9, { message: 9 }), message(10, { actorId: null })];
    const page = await historiesOf({ status: 200, data }).read('default', 'x7k2m9pq', '7');
    expect([page.messages.map(({ id }) => id), page.next]).toEqual([[8], '10']);
  });

  it('comes in pages that fit into a reply', async () => {
    const long = 'x'.repeat(32_000);
    const data = Array.from({ length: 20 }, (_unused, n) => message(n + 1, { message: long }));
    const page = await historiesOf({ status: 200, data }).read('default', 'x7k2m9pq', '0');
    expect(page.messages.length).toBeGreaterThan(1);
    expect(page.messages.length).toBeLessThan(20);
    expect(page.next).toBe(String(page.messages.at(-1)?.id));
  });

  it.each<[string, number, Instance, string]>([
    ['the reader is no member', 404, instance, GATEWAY_REFUSALS.NOT_FOUND],
    ['the room waits in its lobby', 412, instance, GATEWAY_REFUSALS.UNREADABLE_ANSWER],
    ['Nextcloud is in maintenance', 503, instance, GATEWAY_REFUSALS.UNREACHABLE],
  ])('is refused where %s', async (_why, status, served, code) => {
    const histories = historiesOf({ status }, served);
    await expect(histories.read('default', 'x7k2m9pq', '7')).rejects.toMatchObject({ code });
  });

  it('is nobody’s to read where the administrator named no reader', async () => {
    const { id, baseUrl, appApi } = instance;
    const histories = historiesOf({ status: 200, data: [] }, { id, baseUrl, appApi });
    await expect(histories.read('default', 'x7k2m9pq', '7')).rejects.toMatchObject({
      code: GATEWAY_REFUSALS.NO_HISTORY_READER,
    });
    expect(asked).toEqual([]);
  });
});
