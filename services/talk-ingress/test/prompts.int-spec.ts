import { randomUUID } from 'node:crypto';
import { PostPrompt, PostToRoom, PromptFate } from '@nuqloud/contracts';
import type {
  PostPromptRequest,
  PostToRoomRequest,
  PromptFateReply,
  PromptFateRequest,
} from '@nuqloud/contracts';
import type { Bus } from '@nuqloud/messaging';
import { eventually } from '@nuqloud/testing';
import { FakeTalk } from './fake-talk';
import { IngressBed } from './ingress-bed';

let talk: FakeTalk;
let bed: IngressBed;
let confirmation: Bus;
let agent: Bus;

beforeAll(async () => {
  talk = await new FakeTalk().start();
  bed = await IngressBed.start(talk.url);
  confirmation = await bed.stores.busOf('confirmation');
  agent = await bed.stores.busOf('agent');
  await bed.startIngress();
});
beforeEach(() => {
  talk.answer = () => ({ status: 201 });
  talk.requests.length = 0;
});
afterEach(() => {
  expect(bed.logs.join('')).not.toContain('canary');
});
afterAll(async () => {
  await bed.close();
  await talk.stop();
});

const PROMPT = '**Delete /Docs/plan.md?** 12 KB, canary. Reply *yes* or *no* within 10 minutes. (K7F)';

let rooms = 0;

/** A room with one prompt of `nuq` in it, as `confirmation` sees it. */
const newPrompt = () => {
  const room = `room${String(++rooms).padStart(4, '0')}`;
  const id = randomUUID();
  const place = { v: 1, confirmation: id, instance: 'default', bot: 'nuq', room } as const;
  return {
    room,
    id,
    prompt: (more: Partial<PostPromptRequest> = {}) =>
      confirmation.request(PostPrompt, {}, { ...place, part: 'prompt', text: PROMPT, ...more }),
    fate: (more: Partial<PromptFateRequest> = {}): Promise<PromptFateReply> =>
      confirmation.request(PromptFate, {}, { ...place, ...more }),
  };
};

const post = (
  room: string,
  what: string | PostToRoomRequest['post'],
  more: Partial<PostToRoomRequest> = {},
) =>
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

const settled = (room: string) =>
  eventually(async () => (await rowsOf(room)).every(({ state }) => state !== 'pending'), {
    describe: 'everything being posted',
    deadlineMs: 20_000,
  });

/** A post of the room as it stands in the outbox, whatever would have brought it there. */
const putIn = async (
  room: string,
  more: Partial<{
    state: string;
    maybePosted: boolean;
    claimedUntil: Date;
    bot: string;
    kind: string;
    key: string;
  }>,
) => {
  const last = await bed.database.ingressPost.findFirst({ where: { room }, orderBy: { seq: 'desc' } });
  await bed.database.ingressPost.create({
    data: {
      ...{ instance: 'default', room, seq: (last?.seq ?? 0n) + 1n, bot: 'nuq', key: randomUUID(), part: 0 },
      ...{ kind: 'message', referenceId: 'f'.repeat(64), attempts: 1, state: 'pending' },
      // Later than the test: nobody takes it out.
      nextAt: new Date(Date.now() + 3_600_000),
      ...more,
    },
  });
};

describe('a prompt', () => {
  it('is posted once, as a reply to the message that asked', async () => {
    const { room, id, prompt } = newPrompt();
    expect(await prompt({ replyTo: '1567' })).toEqual({ v: 1, duplicate: false, parts: 1 });
    expect(await prompt({ replyTo: '1567' })).toEqual({ v: 1, duplicate: true, parts: 1 });
    await settled(room);
    expect(talk.requests.map(({ body }) => [body.message, body.replyTo])).toEqual([[PROMPT, 1567]]);
    expect((await rowsOf(room)).map(({ key }) => key)).toEqual([`confirm:${id}`]);
  });

  it('has further lines, each once per cause', async () => {
    const { room, id, prompt } = newPrompt();
    await prompt();
    await prompt({ part: 'code', text: 'canary (K7F)', cause: '7' });
    expect(await prompt({ part: 'code', text: 'canary (K7F)', cause: '7' })).toMatchObject({
      duplicate: true,
    });
    await prompt({ part: 'code', text: 'canary (K7F)', cause: '8' });
    await prompt({ part: 'expired', text: 'canary too late' });
    await settled(room);
    const keys = ['', ':code:7', ':code:8', ':expired'].map((end) => `confirm:${id}${end}`);
    expect((await rowsOf(room)).map(({ key }) => key)).toEqual(keys);
    expect(talk.messagesIn(room)).toHaveLength(4);
  });

  it('is one message up to the length that Talk takes', async () => {
    const { room, prompt } = newPrompt();
    const text = `canary ${'x '.repeat(15_990)}(K7F)`;
    expect(text.length).toBeGreaterThan(31_900);
    expect(await prompt({ text })).toMatchObject({ parts: 1 });
    await settled(room);
    expect(talk.messagesIn(room)).toEqual([text]);
  });

  it.each([
    [{ bot: 'nobody' }, 'TALK.UNKNOWN_BOT'],
    [{ instance: 'elsewhere' }, 'TALK.UNKNOWN_BOT'],
    [{ text: ' \n ' }, 'TALK.EMPTY_POST'],
  ])('is refused: %j', async (more, code) => {
    await expect(newPrompt().prompt(more)).rejects.toMatchObject({ code, retryable: false });
  });

  it('can be posted by confirmation alone: a post with such a key is refused', async () => {
    const { room, id, fate } = newPrompt();
    for (const key of [`confirm:${id}`, `confirm:${id}:code:7`, 'confirm:']) {
      await expect(post(room, 'forged', { key })).rejects.toMatchObject({
        code: 'TALK.RESERVED_KEY',
        message: expect.stringContaining('use another key'),
      });
    }
    expect(await rowsOf(room)).toEqual([]);
    expect(await fate()).toMatchObject({ state: 'unknown' });
  });
});

describe('the fate of a prompt', () => {
  it('is unknown of one that was never sent, and nothing is ruled out', async () => {
    const { fate } = newPrompt();
    expect(await fate()).toEqual({
      ...{ v: 1, state: 'unknown', triedAt: null, postedAt: null, othersSince: true },
    });
  });

  it('is that of this bot in this room alone', async () => {
    const { room, prompt, fate } = newPrompt();
    await prompt();
    await settled(room);
    expect(await fate()).toMatchObject({ state: 'posted' });
    expect(await fate({ bot: 'helper' })).toMatchObject({ state: 'unknown' });
    expect(await fate({ room: 'elsewhere' })).toMatchObject({ state: 'unknown' });
    expect(await fate({ instance: 'elsewhere' })).toMatchObject({ state: 'unknown' });
    expect(await fate({ confirmation: randomUUID() })).toMatchObject({ state: 'unknown' });
  });

  it('waits until Talk has answered, and is posted from that moment', async () => {
    const { room, prompt, fate } = newPrompt();
    const begin = Date.now();
    let accept: () => void = () => undefined;
    talk.answer = () => ({ status: 201, after: new Promise<void>((resolve) => (accept = resolve)) });
    await prompt();
    await eventually(() => talk.requests.length > 0, { describe: 'the call to Talk' });
    const { triedAt, ...waiting } = await fate();
    expect(waiting).toEqual({ v: 1, state: 'waiting', postedAt: null, othersSince: false });
    // Already it can be read in the room.
    expect(Date.parse(triedAt ?? '')).toBeGreaterThanOrEqual(begin);
    const before = Date.now();
    expect(Date.parse(triedAt ?? '')).toBeLessThanOrEqual(before);
    accept();
    await settled(room);
    const { state, postedAt, othersSince, ...rest } = await fate();
    expect([state, othersSince, rest]).toEqual(['posted', false, { v: 1, triedAt }]);
    expect(Date.parse(postedAt ?? '')).toBeGreaterThanOrEqual(before);
    expect(Date.parse(postedAt ?? '')).toBeLessThanOrEqual(Date.now());
  });

  it.each([
    [503, 'the first try: it may stand there since then', true],
    [400, 'the second try: Talk has refused the first', false],
  ])('after a %i can be read since %s', async (status, _since, first) => {
    const { room, prompt, fate } = newPrompt();
    const answers = [status, 201];
    const accepts: (() => void)[] = [];
    talk.answer = () => ({
      status: answers.shift() ?? 201,
      after: new Promise<void>((resolve) => void accepts.push(resolve)),
    });
    await prompt({ replyTo: '1567' });
    await eventually(() => accepts.length === 1, { describe: 'the first call to Talk' });
    const { triedAt } = await fate();
    await eventually(() => Date.now() > Date.parse(triedAt ?? ''), { describe: 'the next millisecond' });
    accepts[0]?.();
    await eventually(() => accepts.length === 2, { describe: 'the second call to Talk' });
    const again = await fate();
    expect(again).toMatchObject({ state: 'waiting', postedAt: null });
    expect(again.triedAt === triedAt).toBe(first);
    accepts[1]?.();
    await settled(room);
    expect(await fate()).toMatchObject({ state: 'posted', triedAt: again.triedAt });
  });

  it('is known only when all of its parts are, by the last of them', async () => {
    const { room, prompt, fate } = newPrompt();
    // Each mention grows by a character, so that this text does not fit any more.
    expect(await prompt({ text: 'canary @bob '.repeat(2_600) })).toMatchObject({ parts: 2 });
    await settled(room);
    const rows = await rowsOf(room);
    expect(await fate()).toMatchObject({
      state: 'posted',
      postedAt: rows
        .map(({ finalAt }) => finalAt?.toISOString())
        .sort()
        .at(-1),
      othersSince: false,
    });
    await bed.database.ingressPost.updateMany({ where: { room, part: 1 }, data: { state: 'failed' } });
    expect(await fate()).toMatchObject({ state: 'failed', postedAt: null });
  });

  it('has failed where Talk refused it', async () => {
    const { room, prompt, fate } = newPrompt();
    talk.answer = () => ({ status: 413 });
    await prompt();
    await settled(room);
    expect(await fate()).toMatchObject({ state: 'failed', postedAt: null, othersSince: false });
  });

  it('can be asked for again when the outbox cannot be read', async () => {
    const { fate } = newPrompt();
    await bed.database.$executeRaw`ALTER TABLE ingress_posts RENAME TO ingress_posts_away`;
    try {
      await expect(fate()).rejects.toMatchObject({ code: 'TALK.OUTBOX_AWAY', retryable: true });
    } finally {
      await bed.database.$executeRaw`ALTER TABLE ingress_posts_away RENAME TO ingress_posts`;
    }
  });
});

describe('something else since', () => {
  const posted = async () => {
    const asked = newPrompt();
    await asked.prompt();
    await settled(asked.room);
    return asked;
  };

  it('is any later message of the bot in that room', async () => {
    const { room, fate } = await posted();
    await post(room, 'by the way');
    await settled(room);
    expect(await fate()).toMatchObject({ state: 'posted', othersSince: true });
  });

  it('is not what was posted before or what stands elsewhere', async () => {
    const { room, prompt, fate } = newPrompt();
    await post(room, 'before');
    await prompt();
    await post(newPrompt().room, 'elsewhere');
    await settled(room);
    expect(await fate()).toMatchObject({ state: 'posted', othersSince: false });
  });

  it('is no reaction and no line about the prompt itself', async () => {
    const { room, prompt, fate } = await posted();
    await post(room, { type: 'reaction_add', messageId: '1567', reaction: '👀' });
    await prompt({ part: 'code', text: 'canary (K7F)', cause: '7' });
    await settled(room);
    expect(await fate()).toMatchObject({ othersSince: false });
  });

  it('is the prompt of another confirmation', async () => {
    const { room, fate } = await posted();
    await confirmation.request(
      PostPrompt,
      {},
      {
        v: 1,
        confirmation: randomUUID(),
        part: 'prompt',
        instance: 'default',
        bot: 'nuq',
        room,
        text: PROMPT,
      },
    );
    await settled(room);
    expect(await fate()).toMatchObject({ othersSince: true });
  });

  it.each<[what: string, row: Parameters<typeof putIn>[1], counts: boolean]>([
    ['a message that merely waits', {}, false],
    ['a message that is being posted right now', { claimedUntil: new Date(Date.now() + 60_000) }, true],
    ['a waiting message whose last try had no answer', { maybePosted: true }, true],
    ['a failed message whose last try had no answer', { state: 'failed', maybePosted: true }, true],
    ['a message that Talk refused', { state: 'failed' }, false],
    ['a message that Talk took', { state: 'sent' }, true],
    ['a reaction that Talk took', { state: 'sent', kind: 'reaction_add' }, false],
    ['a message of another of our bots', { state: 'sent', bot: 'helper' }, true],
  ])('%s: %j counts %s', async (_what, row, counts) => {
    const { room, fate } = await posted();
    await putIn(room, row);
    expect(await fate()).toMatchObject({ state: 'posted', othersSince: counts });
  });

  it('is a message that is being posted, from before Talk has it', async () => {
    const { room, fate } = await posted();
    let accept: () => void = () => undefined;
    const stuck = new Promise<void>((resolve) => (accept = resolve));
    talk.answer = () => ({ status: 413, after: stuck });
    await post(room, 'perhaps');
    await eventually(() => talk.messagesIn(room).length > 1, { describe: 'the call to Talk' });
    expect(await fate()).toMatchObject({ othersSince: true });
    accept();
    await settled(room);
    // Talk has refused it: nobody has seen it.
    expect(await fate()).toMatchObject({ othersSince: false });
  });

  it('is a message whose outcome was unknown once, whatever came of it later', async () => {
    const { room, fate } = await posted();
    const answers = [503, 413];
    talk.answer = () => ({ status: answers.shift() ?? 413 });
    await post(room, 'perhaps');
    await settled(room);
    expect((await rowsOf(room)).at(-1)).toMatchObject({ state: 'failed', reason: 'HTTP_413' });
    expect(await fate()).toMatchObject({ othersSince: true });
  });

  it('is a message that a replica had in hand when it died', async () => {
    const { room, fate } = await posted();
    talk.answer = () => ({ status: 413 });
    await putIn(room, { claimedUntil: new Date(Date.now() - 1_000) });
    await bed.database.ingressPost.updateMany({
      where: { room, state: 'pending' },
      data: { nextAt: new Date(), payload: { type: 'message', text: 'canary orphan' } },
    });
    await settled(room);
    expect(await fate()).toMatchObject({ othersSince: true });
  });
});
