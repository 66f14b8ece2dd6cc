import { calls, eventually, says } from '@nuqloud/testing';
import { lastText, Product, TEAM_ROOM } from './product';

let product: Product;

afterEach(async () => {
  await product.close();
  product.model.verify();
});

const toolsAreKnown = (known: boolean) =>
  eventually(async () => (await product.ask('alice', 'nuq help')).includes('**List a folder** –') === known, {
    describe: known ? 'the Files tools' : 'no Files tools',
    deadlineMs: 20_000,
  });

it('a tool service that stops takes its tools with it and brings them back', async () => {
  product = await Product.start();
  const tools = await product.startToolFiles();
  await toolsAreKnown(true);
  await tools.close();
  await eventually(
    async () =>
      (await product.ask('alice', 'nuq help')).includes(
        '**List a folder** – Shows what is in a folder, page by page. (not available at the moment)',
      ),
    {
      describe: 'the Files tools as away',
      deadlineMs: 20_000,
    },
  );
  product.model.expect({
    when: ({ body }) => expect(body.tools).toBeUndefined(),
    answer: says('I can still talk'),
  });
  expect(await product.ask('alice', 'nuq hello')).toBe('I can still talk');
  await product.startToolFiles();
  await eventually(async () => !(await product.ask('alice', 'nuq help')).includes('not available'), {
    describe: 'the Files tools',
    deadlineMs: 20_000,
  });
});

it('works with a Nextcloud in a sub-folder', async () => {
  product = await Product.start({ webRoot: '/nextcloud' });
  await product.startToolFiles();
  await toolsAreKnown(true);
  product.model
    .expect({ answer: calls({ name: 'files_read', arguments: { path: '/Docs/plan.md' } }) })
    .expect({ answer: ({ body }) => says(lastText(body)) });
  expect(await product.ask('alice', 'nuq read /Docs/plan.md')).toContain('summer party');
});

it('two replicas of every service answer each message once and a room in order', async () => {
  product = await Product.start({ replicas: 2 });
  await product.startToolFiles();
  await product.startToolFiles();
  await toolsAreKnown(true);
  const questions = Array.from({ length: 12 }, (_unused, i) => i);
  for (const i of questions) {
    product.model.expect({ answer: calls({ name: 'files_list', arguments: { path: '/Docs' } }) }).expect({
      answer: ({ body }) => says(`${i}: ${lastText(body).includes('plan.md')}`),
    });
  }
  const webhook = (i: number) =>
    JSON.stringify({
      type: 'Create',
      actor: { type: 'Person', id: 'users/alice', name: 'Alice Adams', talkParticipantType: '1' },
      object: {
        type: 'Note',
        id: String(9_000 + i),
        name: 'message',
        content: JSON.stringify({ message: `nuq question ${i}`, parameters: [] }),
        mediaType: 'text/markdown',
      },
      target: { type: 'Collection', id: TEAM_ROOM, name: 'Team' },
    });
  // Every message reaches both doors: Talk's own delivery and a copy, in turn which comes first.
  for (const i of questions) {
    expect(await product.deliver(i % 2, webhook(i))).toBe(200);
    expect(await product.deliver((i + 1) % 2, webhook(i))).toBe(200);
  }
  const answers = await eventually(
    async () => {
      const said = (await product.messages()).filter(
        ({ actorType, message }) => actorType === 'bots' && /^\d+: /.test(message),
      );
      return said.length >= questions.length ? said.map(({ message }) => message) : false;
    },
    { describe: 'all answers', deadlineMs: 30_000 },
  );
  expect(answers).toEqual(questions.map((i) => `${i}: true`));
});
