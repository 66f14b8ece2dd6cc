import { calls, countTokens, eventually, fails, says } from '@nuqloud/testing';
import { lastText, Product, TEAM_ROOM } from './product';

let product: Product;

beforeAll(async () => {
  product = await Product.start();
  await product.startToolFiles();
  await toolsAreKnown('List a folder');
}, 60_000);

afterEach(() => product.model.verify());

afterAll(() => product.close());

/** The registry asks in the background; help shows what it knows. */
const toolsAreKnown = (label: string) =>
  eventually(
    async () => {
      const help = await product.ask('alice', 'nuq help');
      return help.includes(`**${label}** –`) && !help.includes('not available');
    },
    { describe: 'the Files tools', deadlineMs: 20_000 },
  );

/** The model wants one tool and then words its result back. */
const usesTool = (name: string, args: object) => {
  product.model.expect({ answer: calls({ name, arguments: { ...args } }) }).expect({
    answer: ({ body }) => says(lastText(body)),
  });
};

it('a first greeting costs at most 2,500 tokens, with more than ten tools', async () => {
  product.model.expect({ answer: says('Hello Alice') });
  expect(await product.ask('alice', 'nuq hello')).toBe('Hello Alice');
  const [greeting] = product.model.requests;
  expect(greeting?.body.tools?.length).toBeGreaterThanOrEqual(10);
  expect(greeting && (await countTokens(greeting.body))).toBeLessThanOrEqual(2_500);
});

describe('a person', () => {
  it('gets a listing of their own folder', async () => {
    usesTool('files_list', { path: '/Docs' });
    const answer = await product.ask('alice', '@nuq list /Docs');
    for (const name of ['plan.md', '#1 priority.txt', 'Meeting notes 2026-05-12.md', 'Archive/'])
      expect(answer).toContain(name);
  });

  it('gets a long folder page by page, with the total', async () => {
    usesTool('files_list', { path: '/Docs', limit: 2 });
    expect(await product.ask('alice', 'nuq list /Docs')).toMatch(/1 to 2 of 5/);
  });

  it.each([
    ['/Docs/#1 priority.txt', 'Ship the first version'],
    ['/shopping 🛒.txt', 'oranges'],
    ['/Docs/Archive/2025/report.txt', 'Revenue grew'],
  ])('reads %s', async (path, text) => {
    usesTool('files_read', { path });
    expect(await product.ask('alice', `nuq read ${path}`)).toContain(text);
  });

  it('learns what a file is', async () => {
    usesTool('files_info', { path: '/Docs/plan.md' });
    expect(await product.ask('alice', 'nuq info')).toMatch(/size: 228 bytes[^]*owner: Alice Adams/);
  });

  it('learns in words that a file is not there, is a folder, or is no text', async () => {
    usesTool('files_read', { path: '/Docs/nothing.md' });
    expect(await product.ask('alice', 'nuq read')).toContain('There is no file or folder');
    usesTool('files_read', { path: '/Docs' });
    expect(await product.ask('alice', 'nuq read')).toContain('folder');
    usesTool('files_read', { path: '/Photos/Sunset 🌅.png' });
    expect(await product.ask('alice', 'nuq read')).toContain('image/png');
  });

  it('never reaches the files of somebody else', async () => {
    usesTool('files_read', { path: '/private diary.txt' });
    expect(await product.ask('alice', 'nuq read bob’s diary')).not.toContain('Only Bob');
    usesTool('files_read', { path: '/../bob/private diary.txt' });
    expect(await product.ask('alice', 'nuq read bob’s diary')).not.toContain('Only Bob');
    usesTool('files_read', { path: '/private diary.txt' });
    expect(await product.ask('bob', 'nuq read my diary')).toContain('Only Bob reads this.');
    const users = new Set(
      (await product.requests())
        .filter(({ path }) => path.includes('/dav/files/bob'))
        .map(({ user }) => user),
    );
    expect([...users]).toEqual(['bob']);
  });

  it('sees 👀 while the bot works, and not afterwards', async () => {
    let release: () => void = () => undefined;
    product.model.expect({
      answer: says('done', { after: new Promise<void>((resolve) => (release = resolve)) }),
    });
    const id = await product.write('alice', 'nuq hello');
    const eyes = async () =>
      (await product.messages(id - 1)).find((message) => message.id === id)?.reactions['👀'] ?? 0;
    await eventually(async () => (await eyes()) === 1, { describe: '👀' });
    release();
    expect(await product.answerTo(id)).toBe('done');
    await eventually(async () => (await eyes()) === 0, { describe: 'no 👀' });
  });

  it('gets a long answer whole, in several messages', async () => {
    const long = Array.from({ length: 3_000 }, (_unused, i) => `line ${i} 😀`).join('\n');
    product.model.expect({ answer: says(long) });
    const id = await product.write('alice', 'nuq tell me a lot');
    const text = await eventually(
      async () => {
        const bot = (await product.messages(id))
          .filter(({ actorType }) => actorType === 'bots')
          .map(({ message }) => message);
        const joined = bot.join('\n');
        return joined.endsWith('line 2999 😀') ? { joined, parts: bot.length } : false;
      },
      { describe: 'the last part', deadlineMs: 20_000 },
    );
    expect(text.joined).toBe(long);
    expect(text.parts).toBeGreaterThan(1);
  });
});

describe('a guest or a federated user', () => {
  it('is refused, and nothing is asked of Nextcloud or the model for them', async () => {
    const before = product.model.requests.length;
    for (const user of ['guests/7f3a', 'federated_users/dana@other.example.org']) {
      expect(await product.ask(user, 'nuq list /')).toContain('only work for people with an account');
    }
    expect(product.model.requests).toHaveLength(before);
    expect(
      (await product.requests()).filter(({ user }) => user === '7f3a' || user?.startsWith('dana')),
    ).toEqual([]);
  });
});

describe('a webhook', () => {
  it('delivered twice is answered once', async () => {
    product.model.expect({ answer: says('once') }).expect({ answer: says('later') });
    const id = await product.write('alice', 'nuq hello');
    await product.answerTo(id);
    const webhook = (await product.webhooks()).find(
      ({ body }) => body.startsWith('{"type":"Create"') && body.includes(`"id":"${id}"`),
    );
    await product.control('POST', `webhooks/${webhook?.n}/replay`);
    expect(await product.ask('alice', 'nuq and now')).toBe('later');
    expect(await product.answersTo(id)).toEqual(['once']);
  });

  it('is refused by what is wrong with it, and none of these is processed', async () => {
    const create = JSON.stringify({
      type: 'Create',
      actor: { type: 'Person', id: 'users/alice', name: 'Alice Adams' },
      object: {
        type: 'Note',
        id: '999',
        name: 'message',
        content: '{"message":"nuq hello","parameters":[]}',
        mediaType: 'text/markdown',
      },
      target: { type: 'Collection', id: TEAM_ROOM, name: 'Team' },
    });
    expect(await product.deliver(0, create, { signature: 'ab'.repeat(32) })).toBe(401);
    expect(await product.deliver(0, create, { signature: '' })).toBe(401);
    expect(await product.deliver(0, create, { bot: 'nobody' })).toBe(404);
    expect(await product.deliver(0, 'not json')).toBe(400);
    expect(await product.deliver(0, `"${'x'.repeat(2 * 1024 * 1024)}"`)).toBe(413);
    expect(await product.deliver(0, '{"type":"Something","new":true}')).toBe(200);
  });
});

describe('trouble', () => {
  it('of Nextcloud is told as such, and passes', async () => {
    await product.control('POST', 'faults', { match: { path: '/remote.php/dav*' }, status: 503, times: 20 });
    usesTool('files_list', { path: '/Docs' });
    const answer = await product.ask('alice', 'nuq list /Docs');
    expect(answer).toMatch(/^Error: /);
    expect(answer).not.toContain('plan.md');
    await product.control('DELETE', 'faults');
    usesTool('files_list', { path: '/Docs' });
    expect(await product.ask('alice', 'nuq list /Docs')).toContain('plan.md');
  });

  it('of the model is told in the person’s language, and passes', async () => {
    product.model
      .expect({ answer: fails(500) })
      .expect({ answer: fails(500) })
      .expect({ answer: says('Wieder da') });
    expect(await product.ask('bob', 'nuq hallo')).toContain('Sprachmodell ist gerade nicht erreichbar');
    expect(await product.ask('bob', 'nuq hallo')).toBe('Wieder da');
  });
});
