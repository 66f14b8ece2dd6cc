import { randomUUID } from 'node:crypto';
import { eventually } from '@nuqloud/testing';
import { TalkBed } from './talk-bed';

let bed: TalkBed;
beforeAll(async () => {
  bed = await TalkBed.start();
});
afterAll(() => bed.close());

/** Nextcloud brings its Talk: 27, 30, 31, 32, 33 and 35 have Talk 17, 20, 21, 22, 23 and 25. */
const VERSIONS = ['27.1.0', '30.0.1', '31.0.4', '32.0.1', '33.0.0', '35.0.0'];
const fromTalk21 = VERSIONS.slice(2);

const standsThere = (text: string) =>
  eventually(async () => (await bed.standing()).find(({ message }) => message === text), {
    describe: `"${text}" in the room`,
  });

describe.each(VERSIONS)('with the Talk of Nextcloud %s', (version) => {
  beforeEach(() => bed.resetTo(version));

  it('takes a message and answers it with a quote', async () => {
    const { id } = await bed.write({ user: 'alice', text: 'Hi @bob, {file} grüßt ☕' });
    expect(await bed.nextEvent()).toMatchObject({
      kind: 'message',
      instance: 'default',
      bot: 'nuq',
      room: bed.room,
      messageId: String(id),
      actor: { type: 'users', id: 'alice', name: 'Alice Adams' },
      text: 'Hi @Bob {mention-user2}, {file} grüßt ☕',
      mentions: [{ type: 'user', id: 'bob', name: 'Bob {mention-user2}' }],
    });
    const text = 'Grüße, @all of you 👍';
    await bed.post(randomUUID(), { type: 'message', text, replyTo: String(id) });
    const answer = await standsThere('Grüße, @\u2060all of you 👍');
    expect(answer).toMatchObject({
      actorType: 'bots',
      replyTo: id,
      referenceId: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('tells guests from users, and files from messages', async () => {
    await bed.write({ user: 'guests/7f3a', text: 'yes' });
    expect(await bed.nextEvent()).toMatchObject({
      kind: 'message',
      actor: { type: 'guests', id: '7f3a' },
      text: 'yes',
    });
    await bed.write({ user: 'alice', text: 'The draft', file: '/Docs/plan.md' });
    expect(await bed.nextEvent()).toMatchObject({
      kind: 'attachment',
      text: 'The draft',
      attachments: [{ name: 'plan.md', size: 9, fileId: expect.stringMatching(/^\d+$/) }],
    });
    await bed.write({ user: 'alice', file: '/Docs/plan.md' });
    expect(await bed.nextEvent()).toMatchObject({ kind: 'attachment', text: '' });
  });

  it('hears of edits and deletions as system messages', async () => {
    const { id } = await bed.write({ user: 'alice', text: 'first' });
    await bed.control('POST', `rooms/${bed.room}/messages/${id}/edit`, { user: 'alice', text: 'second' });
    await bed.control('DELETE', `rooms/${bed.room}/messages/${id}`, {});
    const events = [await bed.nextEvent(), await bed.nextEvent(), await bed.nextEvent()];
    expect(events).toEqual([
      expect.objectContaining({ kind: 'message' }),
      expect.objectContaining({ kind: 'system', name: 'message_edited' }),
      expect.objectContaining({ kind: 'system', name: 'message_deleted' }),
    ]);
  });

  it('puts a reaction there and takes it away, without hearing of it as a message', async () => {
    const { id } = await bed.write({ user: 'alice', text: 'work' });
    await bed.nextEvent();
    const reactions = async () =>
      Object.keys((await bed.standing()).find((message) => message.id === id)?.reactions ?? {});
    await bed.post(randomUUID(), { type: 'reaction_add', messageId: String(id), reaction: '👀' });
    await eventually(async () => (await reactions()).includes('👀'), { describe: 'the reaction' });
    await bed.post(randomUUID(), { type: 'reaction_remove', messageId: String(id), reaction: '👀' });
    await eventually(async () => (await reactions()).length === 0, { describe: 'the reaction being away' });
    await bed.write({ user: 'alice', text: 'the end' });
    const heard: string[] = [];
    for (let event = await bed.nextEvent(); event.kind !== 'message'; event = await bed.nextEvent())
      heard.push(event.kind);
    expect(heard).not.toContain('attachment');
  });

  it('keeps a long answer in order', async () => {
    const code = Array.from({ length: 4_000 }, (_, n) => `line(${n});`).join('\n');
    const { parts } = await bed.post(randomUUID(), {
      type: 'message',
      text: `Look:\n\n\`\`\`js\n${code}\n\`\`\`\nDone.`,
    });
    await eventually(async () => (await bed.standing()).length === parts, { describe: 'all parts' });
    const messages = (await bed.standing()).map(({ message }) => message);
    expect(messages.slice(1).every((message) => message.startsWith('```js\n'))).toBe(true);
    const lines = messages
      .join('\n')
      .split('\n')
      .filter((line) => line.startsWith('line('));
    expect(lines).toEqual(code.split('\n'));
  });
});

describe.each(fromTalk21)('since Talk 21, with Nextcloud %s', (version) => {
  beforeEach(() => bed.resetTo(version));

  it('knows whom a reply answers', async () => {
    await bed.post(randomUUID(), { type: 'message', text: 'Which day?' });
    const question = await standsThere('Which day?');
    await bed.write({ user: 'alice', text: 'Friday', replyTo: question.id });
    expect(await bed.nextEvent()).toMatchObject({
      kind: 'message',
      actor: { moderator: expect.any(Boolean) },
      replyTo: { messageId: String(question.id), text: 'Which day?', actor: { type: 'bots', name: 'NuQ' } },
    });
  });

  it('hears of reactions of people', async () => {
    const { id } = await bed.write({ user: 'alice', text: 'Hi' });
    await bed.nextEvent();
    const path = `rooms/${bed.room}/messages/${id}/reactions`;
    await bed.control('POST', path, { user: 'bob', reaction: '👍' });
    expect(await bed.nextEvent()).toMatchObject({
      kind: 'reaction_added',
      messageId: String(id),
      reaction: '👍',
    });
    await bed.control('DELETE', path, { user: 'bob', reaction: '👍' });
    const removal = [await bed.nextEvent(), await bed.nextEvent()];
    expect(removal.map(({ kind }) => kind).sort()).toEqual(['reaction_removed', 'system']);
  });
});

describe('with a Talk that refuses', () => {
  it('offers a wrong secret once for an answer of many parts', async () => {
    bed.resetTo('32.0.1', { secret: 'another-secret-than-the-one-we-were-given-0123' });
    const { parts } = await bed.post(randomUUID(), { type: 'message', text: 'word '.repeat(9_000) });
    expect(parts).toBe(3);
    const calls = async () => {
      const { requests } = await bed.control<{ requests: { path: string; status: number }[] }>(
        'GET',
        'requests?after=0',
      );
      return requests.filter(({ path }) => path.includes('/bot/'));
    };
    await eventually(async () => (await calls()).length > 0, { describe: 'the first call' });
    expect(await calls()).toHaveLength(1);
    // The bot waits 10 s now: what is posted with the right secret meanwhile is late, not lost.
    const room = bed.room;
    bed.resetTo('32.0.1');
    await bed.post(randomUUID(), { type: 'message', text: 'again' });
    const arrived = async () => (await bed.standing()).map(({ message }) => message);
    await eventually(async () => (await arrived()).length > 0, {
      describe: 'the later post',
      deadlineMs: 25_000,
    });
    expect(await arrived()).toEqual(['again']);
    expect((await calls()).filter(({ path }) => path.includes(room))).toHaveLength(0);
  });

  it('keeps order over faults of the server', async () => {
    bed.resetTo('32.0.1');
    await bed.control('POST', 'faults', {
      match: { method: 'POST', path: `/bot/${bed.room}/message` },
      status: 503,
      times: 1,
    });
    await bed.control('POST', 'faults', {
      match: { method: 'POST', path: `/bot/${bed.room}/message` },
      drop: true,
      times: 1,
    });
    for (const text of ['one', 'two', 'three']) await bed.post(randomUUID(), { type: 'message', text });
    await eventually(async () => (await bed.standing()).length >= 3, {
      describe: 'all three',
      deadlineMs: 20_000,
    });
    expect((await bed.standing()).map(({ message }) => message)).toEqual(['one', 'two', 'three']);
  });
});
