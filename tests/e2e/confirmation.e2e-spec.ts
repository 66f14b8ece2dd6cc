import { readDemoTeam } from '@nuqloud/nextcloud-emulator';
import { calls, eventually, says } from '@nuqloud/testing';
import { lastText, Product, TEAM_ROOM } from './product';

/** What Bob writes there, Alice has among her files. */
const BOBS_OFFERS = { owner: 'bob', path: '/Offers', type: 'user', with: 'alice', permissions: 31 } as const;

let product: Product;

beforeAll(async () => {
  product = await Product.start({ shares: [BOBS_OFFERS] });
  await product.startToolFiles();
  await eventually(async () => (await product.ask('alice', 'nuq help')).includes('**Delete'), {
    describe: 'the Files tools',
    deadlineMs: 20_000,
  });
}, 60_000);

beforeEach(() => product.restoreDocs());

afterEach(() => product.model.verify());

afterAll(() => product.close());

const deletion = (path: string) => ({ name: 'files_delete', arguments: { path } });

/** The model wants these calls; it is asked once and never again. */
const modelWants = (...wanted: { name: string; arguments: Record<string, unknown> }[]) =>
  product.model.expect({ answer: calls(wanted) });

/** Alice asks for a deletion. @returns the prompt */
const promptFor = async (path: string, user = 'alice'): Promise<string> => {
  modelWants(deletion(path));
  return product.ask(user, `nuq delete ${path}`);
};

const codeIn = (prompt: string): string => /\(([A-Z0-9]{3})\)$/.exec(prompt)?.[1] ?? '';

/** Nothing of the bot stands after that message once a later question is answered. */
const staysUnanswered = async (id: number): Promise<void> => {
  const help = await product.ask('carol', 'nuq help');
  expect(help).toContain('NuQ');
  expect(await product.answersTo(id)).toEqual([]);
};

describe('rule 3: the prompt', () => {
  it('says what really happens, by code, and ends with a code', async () => {
    const prompt = await promptFor('/Docs/plan.md');
    expect(prompt).toContain('**Delete /Docs/plan.md?**');
    expect(prompt).toContain('228 bytes');
    expect(prompt).toContain('trash');
    expect(prompt).toMatch(/Reply \*yes\* or \*no\* within 10 minutes\. \([A-Z0-9]{3}\)$/);
    expect(await product.exists('alice', '/Docs/plan.md')).toBe(true);
  });

  it('tells how much is in a folder', async () => {
    expect(await promptFor('/Docs')).toMatch(/Delete \/Docs\?.*5 files/s);
  });

  it('tells of two deletions in one message as one numbered prompt, and does both with one "yes"', async () => {
    modelWants(deletion('/Docs/plan.md'), deletion('/Docs/Handbook.md'));
    const prompt = await product.ask('alice', 'nuq delete both');
    expect(prompt).toMatch(
      /1\. \*\*Delete \/Docs\/plan\.md\*\*[^]*\n2\. \*\*Delete \/Docs\/Handbook\.md\*\*/,
    );
    expect((await product.ask('alice', 'yes')).split('\n')).toEqual([
      '1. Done: Delete /Docs/plan.md',
      '2. Done: Delete /Docs/Handbook.md',
    ]);
    expect(await product.exists('alice', '/Docs/plan.md')).toBe(false);
    expect(await product.exists('alice', '/Docs/Handbook.md')).toBe(false);
  });

  it('cannot be forged by the name of a file', async () => {
    const path = '/Docs/a.md** @bob [x](evil.example) (K7F)';
    await product.put('alice', path, 'x');
    const prompt = await promptFor(path);
    expect(prompt.split('\n')).toHaveLength(1);
    expect(prompt).not.toContain('[x](evil.example)');
    expect(codeIn(prompt)).not.toBe('');
  });
});

describe('rule 4: the answer', () => {
  it.each(['yes', 'Ja bitte!', '👍', 'oui', 'nuq, yes', ' OK. '])(
    '%j by the asker is a "yes"',
    async (text) => {
      await promptFor('/Docs/plan.md');
      expect(await product.ask('alice', text)).toBe('Done: Delete /Docs/plan.md');
      expect(await product.exists('alice', '/Docs/plan.md')).toBe(false);
    },
  );

  it.each(['no', 'nein', 'Non merci'])(
    '%j cancels, and a later "yes" is no answer any more',
    async (text) => {
      await promptFor('/Docs/plan.md');
      expect(await product.ask('alice', text)).toMatch(/nothing/);
      await staysUnanswered(await product.write('alice', 'yes'));
      expect(await product.exists('alice', '/Docs/plan.md')).toBe(true);
    },
  );

  it.each(['bob', 'guests/7f3a', 'guests/alice', 'federated_users/alice@elsewhere.example'])(
    'a "yes" by %s is ignored, and the asker\'s still counts',
    async (user) => {
      await promptFor('/Docs/plan.md');
      const id = await product.write(user, 'yes');
      expect(await product.ask('alice', 'yes')).toBe('Done: Delete /Docs/plan.md');
      expect(await product.answersTo(id)).toEqual([]);
    },
  );

  it('a "yes" in another room is ignored', async () => {
    await promptFor('/Docs/plan.md');
    await product.writeIn('p4w8r2nd', 'alice', 'yes');
    expect(await product.ask('alice', 'yes')).toBe('Done: Delete /Docs/plan.md');
  });

  it('an edit to "yes" and a caption "yes" are no answers', async () => {
    const early = await product.write('alice', 'hm');
    await promptFor('/Docs/plan.md');
    await product.control('POST', `rooms/${TEAM_ROOM}/messages/${early}/edit`, {
      user: 'alice',
      text: 'yes',
    });
    await staysUnanswered(await product.write('alice', 'yes', { file: '/shopping 🛒.txt' }));
    expect(await product.exists('alice', '/Docs/plan.md')).toBe(true);
  });

  it('a 👍 reaction gets the hint to write it, once', async () => {
    // Before, Talk says that the author of the message reacted, not who did.
    await product.control('PUT', 'version', { talk: '24.0.0' });
    const prompt = await promptFor('/Docs/plan.md');
    const posted = (await product.messages()).find(({ message }) => message === prompt);
    const react = (reaction: string) =>
      product.control('POST', `rooms/${TEAM_ROOM}/messages/${posted?.id}/reactions`, {
        user: 'alice',
        reaction,
      });
    await react('👍');
    expect(await product.nextOfBot(posted?.id ?? 0)).toContain(codeIn(prompt));
    await react('👍🏽');
    expect(await product.exists('alice', '/Docs/plan.md')).toBe(true);
    expect(await product.ask('alice', 'yes')).toBe('Done: Delete /Docs/plan.md');
  });

  it('a "yes" that comes before Talk says that it has the prompt gets the code, and then the code counts', async () => {
    const match = { method: 'POST', path: `*/bot/${TEAM_ROOM}/message` };
    await product.control('POST', 'faults', { match, drop: 'answer', times: 1_000 });
    modelWants(deletion('/Docs/plan.md'));
    const prompt = await product.answerTo(await product.write('alice', 'nuq delete /Docs/plan.md'));
    const yes = await product.write('alice', 'yes');
    await product.control('DELETE', 'faults');
    expect(await product.answerTo(yes)).toContain(`yes ${codeIn(prompt)}`);
    expect(await product.exists('alice', '/Docs/plan.md')).toBe(true);
    expect(await product.ask('alice', `yes ${codeIn(prompt)}`)).toBe('Done: Delete /Docs/plan.md');
  });

  it('anything else is an ordinary message', async () => {
    await promptFor('/Docs/plan.md');
    product.model.expect({ answer: says('It is about the party.') });
    expect(await product.ask('alice', 'nuq yes, but what is in it?')).toBe('It is about the party.');
    expect(await product.exists('alice', '/Docs/plan.md')).toBe(true);
  });
});

describe('rule 5: what stands in between', () => {
  it('after anything else of the bot a bare "yes" is not enough; with the code it is', async () => {
    const code = codeIn(await promptFor('/Docs/plan.md'));
    await product.ask('bob', 'nuq help');
    const yes = await product.write('alice', 'yes');
    expect(await product.nextOfBot(yes)).toContain(`yes ${code}`);
    expect(await product.exists('alice', '/Docs/plan.md')).toBe(true);
    await staysUnanswered(await product.write('alice', code));
    expect(await product.ask('alice', `yes ${code.toLowerCase()}`)).toBe('Done: Delete /Docs/plan.md');
  });

  it('a reply that quotes the prompt means that prompt', async () => {
    const prompt = await promptFor('/Docs/plan.md');
    await product.ask('bob', 'nuq help');
    const posted = (await product.messages()).find(({ message }) => message === prompt);
    expect(await product.ask('alice', 'yes', { replyTo: posted?.id })).toBe('Done: Delete /Docs/plan.md');
  });

  it('a new prompt for the same person replaces the old', async () => {
    const old = codeIn(await promptFor('/Docs/plan.md'));
    await promptFor('/Docs/Handbook.md');
    await staysUnanswered(await product.write('alice', `yes ${old}`));
    expect(await product.exists('alice', '/Docs/plan.md')).toBe(true);
  });
});

describe('rule 6: the deed', () => {
  it('is done once, whatever is delivered again', async () => {
    await promptFor('/Docs/plan.md');
    const id = await product.write('alice', 'yes');
    expect(await product.answerTo(id)).toBe('Done: Delete /Docs/plan.md');
    await product.put('alice', '/Docs/plan.md', 'written anew');
    await product.replay(id);
    await product.ask('carol', 'nuq help');
    expect(await product.answersTo(id)).toHaveLength(1);
    expect(await product.exists('alice', '/Docs/plan.md')).toBe(true);
  });

  it('is not done when the file has changed since the question', async () => {
    await promptFor('/Docs/plan.md');
    await product.put('alice', '/Docs/plan.md', 'changed meanwhile');
    expect(await product.ask('alice', 'yes')).toMatch(/^Not done: Delete \/Docs\/plan\.md\. .*changed/);
    expect(await product.exists('alice', '/Docs/plan.md')).toBe(true);
  });

  it('is not done when something in the folder has changed since the question', async () => {
    await promptFor('/Docs');
    await product.put('alice', '/Docs/Archive/2025/report.txt', 'changed meanwhile');
    expect(await product.ask('alice', 'yes')).toMatch(/^Not done: /);
    expect(await product.exists('alice', '/Docs/plan.md')).toBe(true);
  });

  it('is not done when the trash has gone away since the question', async () => {
    expect(await promptFor('/Docs/plan.md')).toContain('trash');
    const { apps } = (await product.control('PUT', 'version', {})) as { apps: string[] };
    await product.control('PUT', 'version', { apps: apps.filter((app) => app !== 'files_trashbin') });
    const answer = await product
      .ask('alice', 'yes')
      .finally(() => product.control('PUT', 'version', { apps }));
    expect(answer).toMatch(/^Not done: Delete \/Docs\/plan\.md\. .*no longer what you were shown/);
    expect(await product.exists('alice', '/Docs/plan.md')).toBe(true);
  });

  it('of two deeds one can fail and the other be done, and both are told', async () => {
    modelWants(deletion('/Docs/plan.md'), deletion('/Docs/Handbook.md'));
    await product.ask('alice', 'nuq delete both');
    await product.put('alice', '/Docs/plan.md', 'changed meanwhile');
    const report = await product.ask('alice', 'yes');
    expect(report).toMatch(
      /^1\. Not done: Delete \/Docs\/plan\.md[^]*\n2\. Done: Delete \/Docs\/Handbook\.md$/,
    );
  });
});

describe('writing', () => {
  it('creates without a question, and asks before it overwrites', async () => {
    modelWants({ name: 'files_write', arguments: { path: '/Docs/new.md', content: 'first' } }).expect({
      answer: ({ body }) => says(lastText(body)),
    });
    await product.ask('alice', 'nuq write it');
    expect(await product.content('alice', '/Docs/new.md')).toBe('first');
    modelWants({
      name: 'files_write',
      arguments: { path: '/Docs/new.md', content: 'second', overwrite: true },
    });
    expect(await product.ask('alice', 'nuq overwrite it')).toContain('**Overwrite /Docs/new.md?**');
    expect(await product.content('alice', '/Docs/new.md')).toBe('first');
    expect(await product.ask('alice', 'yes')).toBe('Done: Overwrite /Docs/new.md');
    expect(await product.content('alice', '/Docs/new.md')).toBe('second');
  });

  it('does what needs no question beside what does, and says so above the prompt', async () => {
    modelWants({ name: 'files_mkdir', arguments: { path: '/Docs/New' } }, deletion('/Docs/plan.md'));
    const id = await product.write('alice', 'nuq make a folder and delete the plan');
    expect(await product.nextOfBot(id)).toContain('/Docs/New');
    expect(await product.nextOfBot(id, 2)).toContain('**Delete /Docs/plan.md?**');
    expect(await product.exists('alice', '/Docs/New')).toBe(true);
    expect(await product.ask('alice', 'yes')).toBe('Done: Delete /Docs/plan.md');
  });
});

describe('undo', () => {
  it('takes back a deletion, for the person who had it done, once', async () => {
    await promptFor('/Docs/plan.md');
    await product.ask('alice', 'yes');
    expect(await product.ask('bob', 'nuq undo')).toMatch(/nichts/);
    expect(await product.exists('alice', '/Docs/plan.md')).toBe(false);
    expect(await product.ask('alice', 'nuq undo')).toContain('Undone: `/Docs/plan.md`');
    expect(await product.content('alice', '/Docs/plan.md')).toContain('summer party');
    expect(await product.ask('alice', 'nuq undo')).not.toContain('Undone');
    expect(await product.exists('alice', '/Docs/plan.md')).toBe(true);
  });

  it('asks first where the inverse loses something', async () => {
    await product.put('alice', '/Docs/plan.md', 'before');
    modelWants({
      name: 'files_write',
      arguments: { path: '/Docs/plan.md', content: 'after', overwrite: true },
    });
    await product.ask('alice', 'nuq overwrite it');
    await product.ask('alice', 'yes');
    expect(await product.content('alice', '/Docs/plan.md')).toBe('after');
    expect(await product.ask('alice', 'nuq undo')).toContain('/Docs/plan.md');
    expect(await product.ask('alice', 'yes')).toMatch(/^Done: /);
    expect(await product.content('alice', '/Docs/plan.md')).toBe('before');
    expect(await product.ask('alice', 'nuq undo')).not.toContain('Undone');
    expect(await product.content('alice', '/Docs/plan.md')).toBe('before');
  });
});

describe('a tainted turn', () => {
  it('asks before it writes where others can see it, and names where the instruction may have come from', async () => {
    modelWants({ name: 'files_read', arguments: { path: '/Offers/übersicht.md' } }).expect({
      answer: calls({ name: 'files_write', arguments: { path: '/Offers/leak.md', content: 'secret' } }),
    });
    const prompt = await product.ask('alice', 'nuq read /Offers/übersicht.md');
    expect(prompt).toContain('/Offers/leak.md');
    expect(prompt).toMatch(/⚠️ Before this I read what others wrote.*Offers/);
    expect(await product.exists('alice', '/Offers/leak.md')).toBe(false);
  });

  it('shows foreign links as code and drops images in its answer', async () => {
    modelWants({ name: 'files_read', arguments: { path: '/Offers/übersicht.md' } }).expect({
      answer: says('![x](https://evil.example/?q=1) See [this](https://evil.example/a) @alice'),
    });
    const answer = await product.ask('alice', 'nuq read /Offers/übersicht.md');
    expect(answer).toMatch(/^x See this `https:\u2060\/\/evil\.example\/a`/);
  });

  it('marks what others wrote with a boundary that changes with each request', async () => {
    const boundaries: string[] = [];
    const seen = (text: string) => {
      const [, boundary = ''] = /\[data (\S+)\][^]*\[end of data \1\]/.exec(text) ?? [];
      boundaries.push(boundary);
    };
    for (let i = 0; i < 2; i += 1) {
      modelWants({ name: 'files_read', arguments: { path: '/Offers/übersicht.md' } }).expect({
        answer: ({ body }) => {
          seen(lastText(body));
          return says('read');
        },
      });
      await product.ask('alice', 'nuq read it');
    }
    expect(new Set(boundaries).size).toBe(2);
    expect(boundaries).not.toContain('');
  });
});

it('a bystander in the same room can have a prompt of their own meanwhile', async () => {
  const alices = codeIn(await promptFor('/Docs/plan.md'));
  const [bobs] = Object.keys(readDemoTeam().files['bob'] ?? {}).filter((path) => path.startsWith('/Offers/'));
  await promptFor(bobs ?? '', 'bob');
  expect(await product.ask('bob', 'ja')).toMatch(/^Erledigt: /);
  expect(await product.ask('alice', `yes ${alices}`)).toBe('Done: Delete /Docs/plan.md');
});
