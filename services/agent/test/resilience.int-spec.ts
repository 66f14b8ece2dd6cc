import { writeToolPolicy } from '@nuqloud/contracts';
import { createPrisma } from '@nuqloud/database';
import { calls, eventually, says } from '@nuqloud/testing';
import { Stage, told } from './stage';

let stage: Stage;

const open = async (bot: object = {}): Promise<Stage> => (stage = await Stage.open(bot));

afterEach(async () => {
  await stage.close();
});

/** Something to wait for that the test decides. */
const gate = () => {
  let openGate: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => (openGate = resolve));
  return { passed, open: openGate };
};

describe('two replicas', () => {
  it('answer every message once, those of one room in the order in which they came', async () => {
    await open({ rooms: { default: 'always' } });
    await stage.startAgent();
    await stage.startAgent();
    const rooms = ['aaaa', 'bbbb', 'cccc', 'dddd'];
    for (const room of rooms) {
      const script = stage.model.script(room, ({ body }) =>
        JSON.stringify(body.messages.at(-1)).includes(`in ${room}`),
      );
      for (let i = 0; i < 5; i += 1) script.expect({ answer: says(`${room} ${i}`) });
    }
    const asked = new Map<string, string[]>(rooms.map((room) => [room, []]));
    for (let i = 0; i < 5; i += 1) {
      for (const room of rooms)
        asked.get(room)?.push(await stage.write(`question ${i} in ${room}`, { room }));
    }
    const answersIn = (room: string) =>
      stage.posts.flatMap((request) =>
        request.room === room && request.post.type === 'message' ? [request.post] : [],
      );
    await eventually(() => rooms.every((room) => answersIn(room).length === 5), {
      describe: 'all answers',
      deadlineMs: 20_000,
    });
    for (const room of rooms) {
      expect(answersIn(room).map(({ replyTo }) => replyTo)).toEqual(asked.get(room));
      expect(answersIn(room).map(({ text }) => text)).toEqual([0, 1, 2, 3, 4].map((i) => `${room} ${i}`));
    }
    stage.model.verify();
  });

  it('work on different rooms at the same time, so that a slow one holds up nobody', async () => {
    await open({ rooms: { default: 'always' } });
    await stage.startAgent();
    const slow = gate();
    stage.model
      .script('slow', ({ body }) => JSON.stringify(body).includes('slow question'))
      .expect({ answer: says('slow', { after: slow.passed }) });
    stage.model
      .script('quick', ({ body }) => JSON.stringify(body).includes('quick question'))
      .expect({ answer: says('quick') });
    const first = await stage.write('slow question', { room: 'aaaa' });
    expect(await stage.ask('quick question', { room: 'bbbb' })).toBe('quick');
    slow.open();
    expect(await stage.answerTo(first)).toBe('slow');
  });
});

describe('a turn that a process leaves behind', () => {
  it('while the model works is taken up by another and answered once', async () => {
    await open();
    const first = await stage.startAgent();
    stage.model
      .expect({ answer: says('never', { after: new Promise(() => undefined) }) })
      .expect({ answer: says('answered') });
    const id = await stage.write('nuq hello');
    await eventually(() => stage.model.requests.length === 1, { describe: 'the question to the model' });
    await first.close();
    await stage.startAgent();
    expect(await stage.answerTo(id)).toBe('answered');
    stage.model.verify();
  });

  it('in the middle of a write is not repeated: the model learns that nobody knows', async () => {
    await open({ tools: ['files_mkdir'] });
    await stage.startAgent();
    await stage.startTools([{ name: 'files_mkdir', policy: writeToolPolicy() }]);
    await stage.offers('files_mkdir');
    const id = await stage.write('nuq make /New', { receivedAt: new Date().toISOString() });
    stage.model
      .expect({ answer: calls({ name: 'files_mkdir', arguments: {} }) })
      .expect({ answer: says('made') });
    await stage.answerTo(id);
    // Puts back what a process killed during the call would have left: a batch that was begun and has no result.
    const prisma = createPrisma(stage.bed.databaseUrl);
    const turn = await prisma.agentTurn.findFirstOrThrow({ orderBy: { startedAt: 'desc' } });
    const inbox = await prisma.agentInbox.findUniqueOrThrow({ where: { id: turn.inboxId } });
    const call = { id: 'c1', name: 'files_mkdir', argumentsText: '{}' };
    const steps = [
      {
        n: 0,
        kind: 'model',
        request: { v: 1, purpose: 'answer' },
        result: { v: 1, text: '', toolCalls: [call] },
      },
      { n: 1, kind: 'tools', request: { v: 1, calls: [call] } },
    ];
    await prisma.agentTurnStep.createMany({
      data: steps.map((step) => ({ ...step, turnId: turn.id })),
    });
    stage.model.expect({
      when: ({ body }) => expect(body.messages.at(-1)?.content).toContain('not known whether this was done'),
      answer: says('I do not know whether it was made'),
    });
    const event = {
      v: 1,
      kind: 'message',
      instance: 'default',
      bot: 'nuq',
      room: inbox.room,
      roomName: 'Team',
      receivedAt: new Date().toISOString(),
      actor: { type: 'users', id: 'alice', name: 'alice', moderator: false },
      messageId: id,
      text: 'nuq make /New',
      mentions: [],
      attestation: 'attestation of alice',
    };
    // The answer's key is the turn's, so a second posting under it would be dropped: the test looks at the turn.
    await prisma.agentTurn.update({ where: { id: turn.id }, data: { state: 'running', endedAt: null } });
    await prisma.agentInbox.update({ where: { id: inbox.id }, data: { state: 'pending', event } });
    await eventually(async () => (await prisma.agentTurn.findUnique({ where: { id: turn.id } }))?.endedAt, {
      describe: 'the end of the turn',
      deadlineMs: 15_000,
    });
    await prisma.$disconnect();
    expect(stage.calls).toHaveLength(1);
    stage.model.verify();
  });
});

describe('a neighbour that is away', () => {
  it('talk-ingress: the answer waits and is posted once it is back', async () => {
    await open();
    await stage.startAgent();
    stage.ingressUp = false;
    stage.model.expect({ answer: says('patient') });
    const id = await stage.write('nuq hello');
    await eventually(() => stage.model.requests.length === 1, { describe: 'the question to the model' });
    stage.ingressUp = true;
    expect(await stage.answerTo(id, 25_000)).toBe('patient');
    expect(stage.answersTo(id)).toHaveLength(1);
    stage.model.verify();
  });

  it('a tool service: its call says so, the rest goes on, and its tools come back with it', async () => {
    await open();
    await stage.startAgent();
    const stop = await stage.startTools([{ name: 'files_list', run: () => told('plan.md') }]);
    await stage.offers('files_list');
    await stop();
    stage.model
      .expect({ answer: calls({ name: 'files_list', arguments: {} }) })
      .expect({
        // The registry may have noticed before the call did.
        when: ({ body }) =>
          expect(body.messages.at(-1)?.content).toMatch(/not available at the moment|no tool of that name/),
        answer: says('The files are away'),
      })
      .expect({ when: ({ body }) => expect(body.tools).toBeUndefined(), answer: says('still here') });
    expect(await stage.ask('nuq list /')).toBe('The files are away');
    expect(await stage.ask('nuq hello')).toBe('still here');
    await stage.startTools([{ name: 'files_list', run: () => told('plan.md') }]);
    await stage.offers('files_list');
    stage.model.verify();
  });

  it('nats-server: messages go on being answered after its restart', async () => {
    await open();
    await stage.startAgent();
    stage.model.expect({ answer: says('before') }).expect({ answer: says('after') });
    expect(await stage.ask('nuq hello')).toBe('before');
    await stage.bed.nats.restart();
    const id = await eventually(() => stage.write('nuq hello'), {
      describe: 'the stream back',
      deadlineMs: 15_000,
    });
    expect(await stage.answerTo(id, 25_000)).toBe('after');
  });
});

describe('the registry', () => {
  it('skips broken definitions and keeps the good ones beside them', async () => {
    await open({ tools: ['files_list', 'files_read'] });
    await stage.startAgent();
    await stage.startTools([
      { name: 'files_list' },
      { name: 'files_read', description: 'x', schema: { type: 'object', anyOf: [], properties: {} } },
      { name: 7, description: 'no name', schema: {} },
    ]);
    await stage.offers('files_list');
  });

  it('lets a core tool win a collision and takes tools of other providers beside it', async () => {
    await open({ tools: ['files_list', 'acme_send'] });
    await stage.startAgent();
    await stage.startTools(
      [{ name: 'files_list', run: () => told('by acme') }, { name: 'acme_send' }],
      'acme',
    );
    await stage.startTools([{ name: 'files_list', run: () => told('by files') }]);
    await stage.offers('files_list', 'acme_send');
    stage.model
      .expect({ answer: calls({ name: 'files_list', arguments: {} }) })
      .expect({ answer: says('done') });
    await stage.ask('nuq list /');
    expect(stage.calls).toHaveLength(1);
    expect(stage.model.requests.at(-1)?.body.messages.at(-1)?.content).toBe('by files');
    expect(stage.log.join('')).toContain('registry.collision');
  });

  it('expands a pattern once: a tool that appears later is not switched on by itself', async () => {
    await open({ tools: ['files_*'] });
    await stage.startAgent();
    const stop = await stage.startTools([{ name: 'files_list' }, { name: 'other_tool' }]);
    await stage.offers('files_list');
    await stop();
    await stage.startTools([{ name: 'files_list' }, { name: 'files_new' }]);
    await stage.offers('files_list');
    const prisma = createPrisma(stage.bed.databaseUrl);
    expect((await prisma.botTool.findMany({ where: { isPattern: false } })).map(({ tool }) => tool)).toEqual([
      'files_list',
    ]);
    await prisma.$disconnect();
  });

  it('keeps an assignment whose tool nobody offers, with its last known words, inert', async () => {
    await open({ tools: ['files_list', 'files_gone'] });
    await stage.startAgent();
    await stage.startTools([{ name: 'files_list' }]);
    await stage.offers('files_list');
    expect(await stage.ask('nuq help')).toContain('**files_gone** (not available at the moment)');
    stage.model.expect({ when: ({ body }) => expect(body.tools).toHaveLength(1), answer: says('one') });
    expect(await stage.ask('nuq hello')).toBe('one');
  });
});
