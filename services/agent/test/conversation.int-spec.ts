import { writeToolPolicy } from '@nuqloud/contracts';
import { babbles, calls, eventually, fails, says } from '@nuqloud/testing';
import { phrasesFor } from '../src/domain/phrases';
import { Stage, told } from './stage';

let stage: Stage;

const open = async (bot: object = {}): Promise<Stage> => (stage = await Stage.open(bot));

afterEach(async () => {
  await stage.close();
  stage.model.verify();
});

describe('a message to the bot', () => {
  it('is answered in reply to it, with 👀 on it while the work lasts', async () => {
    await open();
    await stage.startAgent();
    stage.model.expect({ answer: says('Hello Alice') });
    const id = await stage.write('nuq hello');
    expect(await stage.answerTo(id)).toBe('Hello Alice');
    await eventually(() => stage.posts.length === 3, { describe: 'the reaction taken away' });
    expect(stage.posts.map(({ post }) => post.type)).toEqual(['reaction_add', 'message', 'reaction_remove']);
    expect(stage.posts[0]?.post).toMatchObject({ messageId: id, reaction: '👀' });
  });

  it('runs the tool the model wants with the writer’s attestation and text, and shows the model the result', async () => {
    await open({ tools: [{ name: 'files_list', scope: { paths: ['/Docs'] } }] });
    await stage.startAgent();
    await stage.startTools([{ name: 'files_list', run: () => told('plan.md') }]);
    await stage.offers('files_list');
    stage.model.expect({ answer: calls({ name: 'files_list', arguments: { path: '/Docs' } }) }).expect({
      when: ({ body }) => expect(body.messages.at(-1)).toMatchObject({ role: 'tool', content: 'plan.md' }),
      answer: says('There is plan.md'),
    });
    const id = await stage.write('nuq list /Docs');
    expect(await stage.answerTo(id)).toBe('There is plan.md');
    expect(stage.calls).toEqual([
      expect.objectContaining({
        tool: 'files_list',
        arguments: { path: '/Docs' },
        attestation: 'attestation of alice',
        text: 'nuq list /Docs',
        scope: { paths: ['/Docs'] },
        context: expect.objectContaining({
          instance: 'default',
          bot: 'nuq',
          room: 'x7k2m9pq',
          messageId: id,
          zone: 'Europe/Berlin',
        }),
      }),
    ]);
  });

  it('that takes long gets one word of progress, in the person’s language, and then its answer', async () => {
    await open();
    stage.people.set('bob', { language: 'de' });
    await stage.startAgent({ progressAfterMs: 50 });
    let release: () => void = () => undefined;
    stage.model.expect({
      answer: says('fertig', { after: new Promise<void>((resolve) => (release = resolve)) }),
    });
    const id = await stage.write('nuq etwas Langes', { user: 'bob' });
    expect(await stage.answerTo(id)).toBe(phrasesFor('de').stillWorking);
    release();
    await eventually(() => stage.answersTo(id).length === 2, { describe: 'the answer' });
    expect(stage.answersTo(id)).toEqual([phrasesFor('de').stillWorking, 'fertig']);
  });

  it('delivered twice is answered once', async () => {
    await open();
    await stage.startAgent();
    stage.model.expect({ answer: says('once') }).expect({ answer: says('later') });
    const id = await stage.write('nuq hello', { messageId: '900' });
    await stage.write('nuq hello', { messageId: '900' });
    expect(await stage.ask('nuq and now?')).toBe('later');
    expect(stage.answersTo(id)).toEqual(['once']);
  });

  it('not meant for the bot reaches no model and is not kept', async () => {
    await open();
    await stage.startAgent();
    await stage.write('just talking');
    stage.model.expect({
      when: ({ body }) => expect(JSON.stringify(body.messages)).not.toContain('just talking'),
      answer: says('hi'),
    });
    expect(await stage.ask('nuq hello')).toBe('hi');
  });

  it('is answered everywhere in an "always" room and nowhere in an "off" room', async () => {
    await open({ rooms: { default: 'off', x7k2m9pq: 'always' } });
    await stage.startAgent();
    stage.model.expect({ answer: says('I am here') });
    const ignored = await stage.write('nuq hello', { room: 'otherroom' });
    expect(await stage.ask('hello')).toBe('I am here');
    expect(stage.answersTo(ignored)).toEqual([]);
  });

  it('that waited too long is not begun, and the person is asked to write again', async () => {
    await open();
    await stage.startAgent();
    const receivedAt = new Date(Date.now() - 21 * 60 * 1000).toISOString();
    expect(await stage.ask('nuq hello', { receivedAt })).toBe(phrasesFor('en').writeAgain);
  });
});

describe('who may', () => {
  it('talk: a guest is refused in words and nothing is asked of anybody', async () => {
    await open();
    await stage.startAgent();
    await stage.startTools([{ name: 'files_list' }]);
    for (const user of ['guests/alice', 'federated_users/alice', 'bridged/alice', 'bots/alice']) {
      expect(await stage.ask('nuq list /', { user })).toBe(phrasesFor('en').guestRefused);
    }
    expect(stage.calls).toEqual([]);
    expect(stage.model.requests).toEqual([]);
  });

  it('talk without tools: a guest where the bot allows it', async () => {
    await open({ guests: true });
    await stage.startAgent();
    await stage.startTools([{ name: 'files_list' }]);
    await stage.offers('files_list');
    stage.model.expect({
      when: ({ body }) => expect(body.tools).toBeUndefined(),
      answer: says('Hello guest'),
    });
    expect(await stage.ask('nuq hello', { user: 'guests/alice' })).toBe('Hello guest');
  });

  it('use a bot for one group: members only, and nobody while Nextcloud cannot say', async () => {
    await open({ users: { groups: ['staff'] } });
    stage.people.set('carol', { groups: ['staff'] });
    stage.people.set('nobody', { uid: '' });
    await stage.startAgent();
    stage.model.expect({ answer: says('Hello Carol') });
    expect(await stage.ask('nuq hello', { user: 'carol' })).toBe('Hello Carol');
    expect(await stage.ask('nuq hello')).toBe(phrasesFor('en').notAllowed);
    expect(await stage.ask('nuq hello', { user: 'nobody' })).toBe(phrasesFor('en').peopleUnknown);
  });
});

describe('memory', () => {
  it('holds what was said in the room, with the speakers’ names', async () => {
    await open();
    await stage.startAgent();
    stage.model.expect({ answer: says('Hello Alice') }).expect({
      when: ({ body }) =>
        expect(body.messages.slice(1)).toMatchObject([
          {
            role: 'user',
            content: expect.stringMatching(
              /^\[data (\S+)\]\nalice: my dog is called Rex\n\[end of data \1\]$/,
            ),
          },
          { role: 'assistant', content: expect.stringMatching(/^\[data \S+\]\nHello Alice\n/) },
          { role: 'user', content: 'bob: what is her dog called?' },
        ]),
      answer: says('Rex'),
    });
    await stage.ask('nuq my dog is called Rex');
    expect(await stage.ask('nuq what is her dog called?', { user: 'bob' })).toBe('Rex');
  });

  it('shows tool results only to the person who caused them', async () => {
    await open();
    await stage.startAgent();
    await stage.startTools([{ name: 'files_list', run: () => told('my secret diary.txt') }]);
    await stage.offers('files_list');
    stage.model
      .expect({ answer: calls({ name: 'files_list', arguments: {} }) })
      .expect({ answer: says('I looked.') })
      .expect({
        when: ({ body }) => expect(JSON.stringify(body.messages)).not.toContain('secret diary'),
        answer: says('no'),
      })
      .expect({
        when: ({ body }) => expect(JSON.stringify(body.messages)).toContain('secret diary'),
        answer: says('yes'),
      });
    await stage.ask('nuq list my files');
    expect(await stage.ask('nuq what does alice have?', { user: 'bob' })).toBe('no');
    expect(await stage.ask('nuq what do I have?')).toBe('yes');
  });

  it('keeps threads, rooms and bots apart', async () => {
    await open();
    await stage.startAgent();
    const knowsNothing = {
      when: ({ body }: { body: { messages: unknown } }) =>
        expect(JSON.stringify(body.messages)).not.toContain('Rex'),
    };
    stage.model
      .expect({ answer: says('ok') })
      .expect({ ...knowsNothing, answer: says('thread') })
      .expect({ ...knowsNothing, answer: says('room') });
    await stage.ask('nuq my dog is called Rex');
    await stage.ask('nuq hello', { thread: '77' });
    await stage.ask('nuq hello', { room: 'otherroom' });
  });

  it('loses one’s own part by /reset, and the whole room’s by a moderator’s', async () => {
    await open();
    await stage.startAgent();
    const actor = { type: 'users', id: 'mod', name: 'Mod', moderator: true };
    stage.model
      .expect({ answer: says('ok alice') })
      .expect({ answer: says('ok bob') })
      .expect({
        when: ({ body }) => {
          expect(JSON.stringify(body.messages)).not.toContain('Rex');
          expect(JSON.stringify(body.messages)).toContain('Tom');
        },
        answer: says('half'),
      })
      .expect({ when: ({ body }) => expect(body.messages).toHaveLength(2), answer: says('nothing') });
    await stage.ask('nuq my dog is called Rex');
    await stage.ask('nuq my cat is called Tom', { user: 'bob' });
    expect(await stage.ask('nuq /reset')).toBe(phrasesFor('en').resetOwn);
    expect(await stage.ask('nuq hello')).toBe('half');
    expect(await stage.ask('nuq /reset', { actor })).toBe(phrasesFor('en').resetRoom);
    expect(await stage.ask('nuq hello')).toBe('nothing');
  });

  it('is gone when the room’s history is cleared or the bot is removed', async () => {
    await open();
    await stage.startAgent();
    const base = {
      v: 1,
      instance: 'default',
      bot: 'nuq',
      room: 'x7k2m9pq',
      roomName: 'Team',
      receivedAt: new Date().toISOString(),
    };
    const actor = { type: 'users', id: 'mod', name: 'Mod', moderator: true };
    const forgets = async (event: object, id: string) => {
      stage.model
        .expect({ answer: says('ok') })
        .expect({ when: ({ body }) => expect(body.messages).toHaveLength(2), answer: says('blank') });
      await stage.ask('nuq my dog is called Rex');
      await stage.append({ ...base, ...event }, id);
      expect(await stage.ask('nuq hello')).toBe('blank');
      await stage.append({ ...base, kind: 'left', random: id.padEnd(64, 'z') }, `${id}-end`);
    };
    await forgets({ kind: 'system', actor, messageId: '5000', name: 'history_cleared' }, 'cleared');
    await forgets({ kind: 'left', random: 'a'.repeat(64) }, 'left');
  });
});

describe('a model that', () => {
  it('is down gets one more try, then the person is told in their language', async () => {
    await open();
    stage.people.set('bob', { language: 'de_DE' });
    stage.people.set('carol', { language: 'fr' });
    await stage.startAgent();
    const down = () => stage.model.expect({ answer: fails(500) }).expect({ answer: fails(500) });
    down();
    expect(await stage.ask('nuq hello')).toBe(phrasesFor('en').modelDown);
    down();
    expect(await stage.ask('nuq hallo', { user: 'bob' })).toBe(phrasesFor('de').modelDown);
    down();
    expect(await stage.ask('nuq bonjour', { user: 'carol' })).toBe(phrasesFor('fr').modelDown);
    stage.model.expect({ answer: fails(503) }).expect({ answer: says('back') });
    expect(await stage.ask('nuq again')).toBe('back');
  });

  it('answers with something else than a completion is treated as down', async () => {
    await open();
    await stage.startAgent();
    const html = babbles('<html>Bad gateway</html>');
    stage.model.expect({ answer: html }).expect({ answer: html });
    expect(await stage.ask('nuq hello')).toBe(phrasesFor('en').modelDown);
  });

  it('refuses after a tool ran leaves what was found', async () => {
    await open();
    await stage.startAgent();
    await stage.startTools([{ name: 'files_list', run: () => told('plan.md') }]);
    await stage.offers('files_list');
    stage.model
      .expect({ answer: calls({ name: 'files_list', arguments: {} }) })
      .expect({ answer: fails(400) });
    const answer = await stage.ask('nuq list /');
    expect(answer).toContain(phrasesFor('en').modelRefused);
    expect(answer).toContain('plan.md');
  });

  it('makes up tools and arguments is told so, and nothing runs', async () => {
    await open();
    await stage.startAgent();
    await stage.startTools([{ name: 'files_list' }]);
    await stage.offers('files_list');
    const isTold = (text: string) => ({
      when: ({ body }: { body: { messages: unknown[] } }) =>
        expect(body.messages.at(-1)).toMatchObject({ role: 'tool', content: expect.stringContaining(text) }),
    });
    stage.model
      .expect({ answer: calls({ name: 'files_lst', arguments: {} }) })
      .expect({
        ...isTold('no tool of that name'),
        answer: calls({ name: 'files_list', arguments: '{"path": ' }),
      })
      .expect({ ...isTold('not valid JSON'), answer: calls({ name: 'files_list', arguments: '[]' }) })
      .expect({
        ...isTold('must be one JSON object'),
        answer: calls({ name: 'files_list', arguments: { path: 7, other: 1 } }),
      })
      .expect({ ...isTold('path'), answer: says('I give up') });
    expect(await stage.ask('nuq list /')).toBe('I give up');
    expect(stage.calls).toEqual([]);
  });

  it('goes in circles is stopped and asked for an answer without tools', async () => {
    await open();
    await stage.startAgent();
    await stage.startTools([
      { name: 'files_list', policy: { ...writeToolPolicy(), readOnly: true, loopThreshold: 3 } },
    ]);
    await stage.offers('files_list');
    const again = { answer: calls({ name: 'files_list', arguments: {} }) };
    stage.model
      .expect(again)
      .expect(again)
      .expect(again)
      .expect({ when: ({ body }) => expect(body.tools).toBeUndefined(), answer: says('Enough') });
    expect(await stage.ask('nuq list /')).toBe('Enough');
    expect(stage.calls).toHaveLength(3);
  });

  it('asks for several calls at once gets them all answered in their order', async () => {
    await open();
    await stage.startAgent();
    await stage.startTools([
      { name: 'files_list', run: ({ arguments: { path } }) => told(`list of ${String(path)}`) },
      { name: 'files_read', run: () => told('no such file', true) },
    ]);
    await stage.offers('files_list', 'files_read');
    stage.model
      .expect({
        answer: calls([
          { name: 'files_list', arguments: { path: '/a' } },
          { name: 'files_read', arguments: {} },
          { name: 'files_list', arguments: { path: '/b' } },
        ]),
      })
      .expect({
        when: ({ body }) =>
          expect(body.messages.slice(-3).map(({ content }) => content)).toEqual([
            'list of /a',
            'Error: no such file',
            'list of /b',
          ]),
        answer: says('done'),
      });
    expect(await stage.ask('nuq list both')).toBe('done');
  });

  it('repeats a write in one turn has it answered from its receipt', async () => {
    await open({ tools: ['files_mkdir'] });
    await stage.startAgent();
    await stage.startTools([
      { name: 'files_mkdir', policy: writeToolPolicy(), run: () => told('Made /New.') },
    ]);
    await stage.offers('files_mkdir');
    const again = calls({ name: 'files_mkdir', arguments: { path: '/New' } });
    stage.model
      .expect({ answer: again })
      .expect({ answer: again })
      .expect({
        when: ({ body }) => expect(body.messages.at(-1)?.content).toContain('Made /New.'),
        answer: says('done'),
      });
    expect(await stage.ask('nuq make /New')).toBe('done');
    expect(stage.calls).toHaveLength(1);
  });

  it('answers without the search it was asked for is asked once more with the search required', async () => {
    await open({ tools: ['files_search'] });
    await stage.startAgent();
    await stage.startTools([
      {
        name: 'files_search',
        policy: { ...writeToolPolicy(), kind: 'search', readOnly: true },
        run: () => told('contract.pdf'),
      },
    ]);
    await stage.offers('files_search');
    stage.model
      .expect({ answer: says('I think there is none') })
      .expect({
        when: ({ body }) =>
          expect(body.tool_choice).toEqual({ type: 'function', function: { name: 'files_search' } }),
        answer: calls({ name: 'files_search', arguments: {} }),
      })
      .expect({ answer: says('Here: contract.pdf') });
    expect(await stage.ask('nuq find the contract')).toBe('Here: contract.pdf');
  });
});

it('keeps what PostgreSQL would refuse out of the turn: NULs and halves of characters', async () => {
  await open();
  await stage.startAgent();
  await stage.startTools([
    { name: 'files_list', run: () => told(`nul \0 here, ${'x'.repeat(1_975)}😀 half \ud83d`) },
  ]);
  await stage.offers('files_list');
  stage.model
    .expect({ answer: calls({ name: 'files_list', arguments: { path: '\0' } }) })
    .expect({ answer: says('done \0') })
    .expect({
      when: ({ body }) => expect(body.messages.length).toBeGreaterThan(4),
      answer: says('remembered'),
    });
  expect(await stage.ask('nuq list /')).toBe('done ');
  expect(await stage.ask('nuq hello')).toBe('remembered');
});

it('never writes texts, names, results or keys into its log', async () => {
  await open();
  await stage.startAgent();
  await stage.startTools([{ name: 'files_list', run: () => told('CANARY-RESULT') }]);
  await stage.offers('files_list');
  stage.model
    .expect({ answer: calls({ name: 'files_list', arguments: { path: 'CANARY-ARGUMENT' } }) })
    .expect({
      answer: fails(500, { message: 'CANARY-MODEL-ERROR', headers: { 'x-should-retry': 'false' } }),
    });
  await stage.ask('nuq CANARY-TEXT');
  await stage.write('{"CANARY-NOT-FOR-THE-BOT":1}');
  const log = stage.log.join('');
  expect(log).toContain('turn.ended');
  expect(log).not.toMatch(/CANARY|key-that-never-shows|attestation of/);
});
