import { createHmac, randomUUID } from 'node:crypto';
import { PostToRoom } from '@nuqloud/contracts';
import type { PostToRoomReply, PostToRoomRequest } from '@nuqloud/contracts';
import type { Bus } from '@nuqloud/messaging';
import { eventually } from '@nuqloud/testing';
import type { RunningTalkIngress } from '../src';
import { FakeTalk } from './fake-talk';
import type { BotRequest } from './fake-talk';
import { IngressBed, SECRETS } from './ingress-bed';

let talk: FakeTalk;
let bed: IngressBed;
let agent: Bus;
let ingress: RunningTalkIngress;

beforeAll(async () => {
  talk = await new FakeTalk().start();
  bed = await IngressBed.start(talk.url);
  agent = await bed.stores.busOf('agent');
  ingress = await bed.startIngress();
});
beforeEach(async () => {
  talk.answer = () => ({ status: 201 });
  talk.requests.length = 0;
  talk.mostAtOnce = 0;
  bed.logs.length = 0;
  await bed.database.ingressPost.deleteMany();
  await bed.database.ingressBot.updateMany({ data: { refusals: 0, pausedUntil: null } });
});
afterEach(() => {
  const log = bed.logs.join('');
  for (const canary of ['canary', bed.encryptionKey]) expect(log).not.toContain(canary);
});
afterAll(async () => {
  await bed.close();
  await talk.stop();
});

let rooms = 0;
const newRoom = (): string => `room${String(++rooms).padStart(4, '0')}`;

/** Asks for a post as the agent does. Every text holds a canary that no log may show. */
const post = (
  room: string,
  what: string | PostToRoomRequest['post'],
  more: Partial<PostToRoomRequest> = {},
): Promise<PostToRoomReply> =>
  agent.request(
    PostToRoom,
    {},
    {
      v: 1,
      key: randomUUID(),
      instance: 'default',
      bot: 'nuq',
      room,
      post: typeof what === 'string' ? { type: 'message', text: `canary ${what}` } : what,
      ...more,
    },
  );

const rowsOf = (room: string) =>
  bed.database.ingressPost.findMany({ where: { room }, orderBy: { seq: 'asc' } });

/** Waits until nothing of these rooms is to be posted any more. */
const settled = (...of: string[]) =>
  eventually(
    async () =>
      (await bed.database.ingressPost.count({ where: { room: { in: of }, state: 'pending' } })) === 0,
    {
      describe: `everything being posted in ${of.join(', ')}`,
      deadlineMs: 20_000,
    },
  );

const texts = (room: string) => talk.messagesIn(room).map((text) => text.replace('canary ', ''));

describe('a post', () => {
  it('reaches Talk signed, below the sub-folder, as a reply with a reference', async () => {
    const room = newRoom();
    const reply = await post(room, {
      type: 'message',
      text: 'canary Hällo **Bob** 👍',
      replyTo: '1567',
      silent: true,
    });
    expect(reply).toEqual({ v: 1, duplicate: false, parts: 1 });
    await settled(room);
    const [request] = talk.requests;
    expect(request).toMatchObject({
      method: 'POST',
      path: `/nextcloud/ocs/v2.php/apps/spreed/api/v1/bot/${room}/message`,
      body: {
        message: 'canary Hällo **Bob** 👍',
        replyTo: 1567,
        silent: true,
        referenceId: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      headers: { 'content-type': 'application/json', accept: 'application/json', 'ocs-apirequest': 'true' },
    });
    const random = String(request?.headers['x-nextcloud-talk-bot-random']);
    const signature = createHmac('sha256', SECRETS.nuq)
      .update(`${random}canary Hällo **Bob** 👍`)
      .digest('hex');
    expect(random.length).toBeGreaterThanOrEqual(32);
    expect(request?.headers['x-nextcloud-talk-bot-signature']).toBe(signature);
  });

  it('is known by its key: a second request posts nothing', async () => {
    const room = newRoom();
    const key = randomUUID();
    expect(await post(room, 'once', { key })).toEqual({ v: 1, duplicate: false, parts: 1 });
    expect(await post(room, 'once', { key })).toEqual({ v: 1, duplicate: true, parts: 1 });
    await settled(room);
    expect(await post(room, 'once', { key })).toEqual({ v: 1, duplicate: true, parts: 1 });
    await settled(room);
    expect(texts(room)).toEqual(['once']);
  });

  it('is stored once when the same key comes twice at once', async () => {
    const room = newRoom();
    await bed.database.ingressRoom.create({ data: { instance: 'default', room } });
    const key = randomUUID();
    const both = await bed.database.$transaction(
      async (transaction) => {
        // Both have looked for the key, and found none, before either may go on.
        await transaction.$executeRaw`SELECT 1 FROM ingress_rooms WHERE room = ${room} FOR UPDATE`;
        const requests = [post(room, 'once', { key }), post(room, 'once', { key })];
        const waiting = async () => {
          const [row] = await bed.database.$queryRaw<{ n: number }[]>`
            SELECT count(*)::int AS n FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'`;
          return row?.n === 2;
        };
        await eventually(waiting, { describe: 'both requests waiting for the room' });
        return requests;
      },
      { timeout: 20_000 },
    );
    const replies = await Promise.all(both);
    expect(replies.map(({ duplicate }) => duplicate).sort()).toEqual([false, true]);
    await settled(room);
    expect(texts(room)).toEqual(['once']);
  });

  it('leaves no text in the database when it is final', async () => {
    const room = newRoom();
    talk.answer = ({ body }) => ({ status: body.message?.includes('good') ? 201 : 413 });
    await post(room, 'good');
    await post(room, 'bad');
    await settled(room);
    expect(await rowsOf(room)).toEqual([
      expect.objectContaining({ state: 'sent', payload: null, finalAt: expect.any(Date) }),
      expect.objectContaining({
        state: 'failed',
        payload: null,
        reason: 'HTTP_413',
        finalAt: expect.any(Date),
      }),
    ]);
  });

  it('that is long comes in parts, in order, the first of which is the reply', async () => {
    const room = newRoom();
    const text = Array.from({ length: 9_000 }, (_, n) => `word${n}`).join(' ');
    const { parts } = await post(room, { type: 'message', text, replyTo: '7' });
    expect(parts).toBeGreaterThan(3);
    await settled(room);
    expect(talk.messagesIn(room)).toHaveLength(parts);
    expect(talk.messagesIn(room).join('')).toBe(text);
    expect(talk.requests.map(({ body }) => body.replyTo)).toEqual([7, ...Array<undefined>(parts - 1)]);
    expect(new Set(talk.requests.map(({ body }) => body.referenceId)).size).toBe(parts);
  });

  it('mentions nobody', async () => {
    const room = newRoom();
    await post(room, '@all and alice@cloud.example');
    await settled(room);
    expect(texts(room)).toEqual(['@\u2060all and alice@cloud.example']);
  });

  it.each([
    [{ bot: 'nobody' }, 'hello', 'TALK.UNKNOWN_BOT'],
    [{ instance: 'elsewhere' }, 'hello', 'TALK.UNKNOWN_BOT'],
    [{}, { type: 'message', text: ' \n ' } as const, 'TALK.EMPTY_POST'],
  ])('is refused: %j %j', async (more, what, code) => {
    await expect(post(newRoom(), what, more)).rejects.toMatchObject({ code, retryable: false });
  });

  it('can be asked for again when the outbox could not be written', async () => {
    await bed.database.$executeRaw`ALTER TABLE ingress_posts RENAME TO ingress_posts_away`;
    try {
      await expect(post(newRoom(), 'later')).rejects.toMatchObject({
        code: 'TALK.OUTBOX_AWAY',
        retryable: true,
      });
    } finally {
      await bed.database.$executeRaw`ALTER TABLE ingress_posts_away RENAME TO ingress_posts`;
    }
    expect(bed.logs.join('')).not.toContain('later');
  });
});

describe('a room', () => {
  it('keeps its order over a first post that fails for a while, and holds up no other room', async () => {
    const [slow, other] = [newRoom(), newRoom()];
    let failures = 2;
    talk.answer = ({ room }) => ({ status: room === slow && failures-- > 0 ? 503 : 201 });
    for (const text of ['one', 'two', 'three']) await post(slow, text);
    await post(other, 'meanwhile');
    await settled(other);
    expect((await rowsOf(slow)).map(({ state }) => state)).toEqual(['pending', 'pending', 'pending']);
    await settled(slow);
    expect(texts(slow)).toEqual(['one', 'one', 'one', 'two', 'three']);
    const references = talk.requests.filter(({ room }) => room === slow).map(({ body }) => body.referenceId);
    expect(new Set(references).size).toBe(3);
    expect(bed.logged('post.again')).toHaveLength(2);
  });

  it.each([400, 404, 413])('goes on after a post that Talk refuses with %i', async (status) => {
    const room = newRoom();
    talk.answer = ({ body }) => ({ status: body.message?.endsWith('bad') ? status : 201 });
    for (const text of ['bad', 'good']) await post(room, text);
    await settled(room);
    expect(texts(room)).toEqual(['bad', 'good']);
    expect(bed.logged('post.failed')).toEqual([
      expect.objectContaining({ room, bot: 'nuq', reason: `HTTP_${status}`, key: expect.any(String) }),
    ]);
  });

  it('gets the answer without the quote when the message replied to is gone', async () => {
    const room = newRoom();
    talk.answer = ({ body }) => ({ status: body.replyTo === undefined ? 201 : 400 });
    await post(room, { type: 'message', text: 'canary answer', replyTo: '7' });
    await settled(room);
    expect(talk.requests.map(({ body }) => body.replyTo)).toEqual([7, undefined]);
    expect((await rowsOf(room)).map(({ state }) => state)).toEqual(['sent']);
  });

  it('shows and takes away a reaction, and does not wait for one that fails', async () => {
    const room = newRoom();
    talk.answer = ({ method, body }) => ({ status: method === 'DELETE' ? 503 : body.reaction ? 200 : 201 });
    await post(room, { type: 'reaction_add', messageId: '1567', reaction: '👀' });
    await post(room, { type: 'reaction_remove', messageId: '1567', reaction: '👀' });
    await post(room, 'answer');
    await settled(room);
    const calls = talk.requests.map(({ method, path, body }) => [
      method,
      path.split(`${room}/`)[1],
      body.reaction,
    ]);
    expect(calls).toEqual([
      ['POST', 'reaction/1567', '👀'],
      ['DELETE', 'reaction/1567', '👀'],
      ['POST', 'message', undefined],
    ]);
    const random = String(talk.requests[0]?.headers['x-nextcloud-talk-bot-random']);
    const signature = createHmac('sha256', SECRETS.nuq).update(`${random}👀`).digest('hex');
    expect(talk.requests[0]?.headers['x-nextcloud-talk-bot-signature']).toBe(signature);
  });

  it('does not follow a redirect', async () => {
    const room = newRoom();
    let redirects = 1;
    talk.answer = () =>
      redirects-- > 0 ? { status: 302, headers: { Location: `${talk.url}/elsewhere` } } : { status: 201 };
    await post(room, 'hello');
    await settled(room);
    expect(talk.requests.map(({ path }) => path)).toEqual(Array(2).fill(expect.stringMatching(/\/message$/)));
  });
});

describe('a bot whose signature Talk refuses', () => {
  const isNuq = ({ headers, body }: BotRequest): boolean => {
    const random = String(headers['x-nextcloud-talk-bot-random']);
    const signature = createHmac('sha256', SECRETS.nuq).update(`${random}${body.message}`).digest('hex');
    return headers['x-nextcloud-talk-bot-signature'] === signature;
  };

  it('loses what waits in that room by one call, waits elsewhere, and leaves other bots alone', async () => {
    const [refusing, elsewhere] = [newRoom(), newRoom()];
    talk.answer = (request) => ({ status: isNuq(request) ? 401 : 201 });
    const text = 'x '.repeat(20_000); // three parts: three refused signatures would be three steps to a lock-out
    await post(refusing, { type: 'message', text });
    await settled(refusing);
    expect(talk.messagesIn(refusing)).toHaveLength(1);
    expect((await rowsOf(refusing)).map(({ state, reason }) => [state, reason])).toEqual(
      Array(3).fill(['failed', 'HTTP_401']),
    );
    expect(bed.logged('post.refused')).toEqual([
      expect.objectContaining({ room: refusing, failed: 3, pauseMs: 10_000 }),
    ]);

    talk.answer = () => ({ status: 201 });
    await post(elsewhere, 'waiting');
    await post(elsewhere, 'not waiting', { bot: 'helper' });
    await eventually(() => texts(elsewhere).length > 0, { describe: 'the other bot speaking' });
    expect(texts(elsewhere)).toEqual(['not waiting']);
    await bed.database.ingressBot.updateMany({ data: { pausedUntil: new Date() } });
    await settled(elsewhere);
    expect(texts(elsewhere)).toEqual(['not waiting', 'waiting']);
    const nuq = await bed.database.ingressBot.findUnique({ where: { bot: 'nuq' } });
    expect(nuq).toMatchObject({ refusals: 0, pausedUntil: null });
  });

  it('waits longer after each time', async () => {
    const room = newRoom();
    talk.answer = () => ({ status: 401 });
    for (const pauseMs of [10_000, 20_000, 40_000]) {
      await post(room, 'again');
      await settled(room);
      expect(bed.logged('post.refused').at(-1)).toMatchObject({ pauseMs });
      await bed.database.ingressBot.updateMany({ data: { pausedUntil: new Date() } });
    }
  });

  it('waits in all rooms as long as Talk says when there are too many calls', async () => {
    const [first, second] = [newRoom(), newRoom()];
    talk.answer = () => ({ status: 429, headers: { 'Retry-After': '120' } });
    await post(first, 'one');
    await eventually(() => bed.logged('post.again').length > 0, { describe: 'the first call being put off' });
    await post(second, 'two');
    const [bot] = await bed.database.ingressBot.findMany({ where: { bot: 'nuq' } });
    expect(Number(bot?.pausedUntil) - Date.now()).toBeGreaterThan(60_000);
    expect(bed.logged('post.again')).toEqual([
      expect.objectContaining({ reason: 'HTTP_429', delayMs: 120_000 }),
    ]);
    talk.answer = () => ({ status: 201 });
    await bed.database.ingressBot.updateMany({ data: { pausedUntil: null } });
    await settled(second);
    await bed.database.ingressPost.updateMany({ data: { nextAt: new Date() } });
    await settled(first);
    expect([texts(first), texts(second)]).toEqual([['one', 'one'], ['two']]);
  });
});

describe('replicas', () => {
  it('post everything once and in order together', async () => {
    const second = await bed.startIngress();
    const third = await bed.startIngress();
    const of = Array.from({ length: 8 }, newRoom);
    talk.answer = () => ({
      status: 201,
      after: new Promise((resolve) => setTimeout(resolve, Math.random() * 5)),
    });
    const numbers = Array.from({ length: 15 }, (_, n) => String(n));
    await Promise.all(
      of.map(async (room) => {
        for (const n of numbers) await post(room, n);
      }),
    );
    await settled(...of);
    for (const room of of) expect(texts(room)).toEqual(numbers);
    expect(talk.mostAtOnce).toBe(1);
    await Promise.all([second.close(), third.close()]);
  });

  it('take over what a dead one had claimed', async () => {
    const room = newRoom();
    await bed.database.ingressRoom.create({ data: { instance: 'default', room, lastSeq: 1 } });
    const claimedUntil = new Date(Date.now() + 1_000);
    const payload = { type: 'message', text: 'canary orphan' };
    const row = {
      instance: 'default',
      room,
      seq: 1,
      bot: 'nuq',
      key: randomUUID(),
      part: 0,
      kind: 'message',
      payload,
    };
    await bed.database.ingressPost.create({
      data: { ...row, referenceId: 'f'.repeat(64), attempts: 1, claimedUntil },
    });
    await post(room, 'next');
    await settled(room);
    expect(texts(room)).toEqual(['orphan', 'next']);
  });

  it('go on after all of them were stopped', async () => {
    const room = newRoom();
    let release: () => void = () => undefined;
    const stuck = new Promise<void>((resolve) => (release = resolve));
    talk.answer = () => ({ status: 201, after: stuck });
    await post(room, 'in hand');
    await post(room, 'waiting');
    await eventually(() => talk.requests.length > 0, { describe: 'the first call' });
    const closed = ingress.close();
    release();
    await closed;
    const left = await rowsOf(room);
    ingress = await bed.startIngress();
    // Its end waited for the call in hand, and left nothing claimed that nobody works on.
    expect(left[0]?.state).toBe('sent');
    expect(left.map(({ claimedUntil }) => claimedUntil)).toEqual([null, null]);
    await settled(room);
    expect(texts(room)).toEqual(['in hand', 'waiting']);
  });

  it('deliver everything in order when Talk was away for a while', async () => {
    const of = [newRoom(), newRoom()];
    await talk.stop();
    for (const room of of) for (const text of ['one', 'two']) await post(room, text);
    const isPutOff = () => bed.logged('post.again').some(({ reason }) => reason === 'NETWORK');
    await eventually(isPutOff, { describe: 'a call being put off' });
    await talk.start();
    await settled(...of);
    for (const room of of) expect(texts(room)).toEqual(['one', 'two']);
  });

  it('go on when the database has cut all their connections', async () => {
    const room = newRoom();
    await bed.database.$executeRaw`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE usename = 'nuqloud_talk_ingress' AND datname = current_database()`;
    const key = randomUUID();
    await eventually(() => post(room, 'still here', { key }), { describe: 'a post being accepted' });
    await settled(room);
    expect(texts(room)).toEqual(['still here']);
  });

  it('fail a post by name that they cannot read', async () => {
    const room = newRoom();
    const row = {
      instance: 'default',
      room,
      seq: 1,
      bot: 'nuq',
      key: randomUUID(),
      part: 0,
      kind: 'message',
    };
    await bed.database.ingressPost.create({ data: { ...row, payload: { type: 'poll' }, referenceId: 'x' } });
    await settled(room);
    expect(await rowsOf(room)).toEqual([expect.objectContaining({ state: 'failed', reason: 'UNREADABLE' })]);
  });
});
