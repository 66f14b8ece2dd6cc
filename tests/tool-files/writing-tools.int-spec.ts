import type { PlannedEffect, ToolReceipt, ToolResult } from '@nuqloud/contracts';
import { FilesBed, textOf } from './files-bed';
import type { Asked } from './files-bed';

const FIXTURE = {
  users: [
    { id: 'alice', displayName: 'Alice Adams', groups: ['team'] },
    { id: 'bob', displayName: 'Bob Brown', groups: ['team'] },
    { id: 'carol', displayName: 'Carol' },
  ],
  files: {
    alice: {
      '/Docs/plan.md': '# The plan\n',
      '/Docs/2026/notes.txt': 'first line',
      '/Docs/2026/empty.txt': '',
      ...Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`/Many/${n}/`, null])),
      '/Shared/brief.md': 'brief',
      '/Shared/inner/deep.txt': 'deep',
      '/photo.jpg': { base64: '/9j/AAE=', mimetype: 'image/jpeg' },
      '/windows.txt': 'one\r\ntwo',
    },
    bob: { '/FromBob/report.md': 'report', '/readonly.md': 'only read' },
  },
  shares: [
    { owner: 'alice', path: '/Shared', type: 'user' as const, with: 'bob', permissions: 31 },
    { owner: 'alice', path: '/Shared/inner', type: 'link' as const, permissions: 1 },
    { owner: 'bob', path: '/FromBob', type: 'user' as const, with: 'alice', permissions: 31 },
    { owner: 'bob', path: '/readonly.md', type: 'user' as const, with: 'alice', permissions: 1 },
  ],
  groupFolders: [{ mount: '/Team', groups: ['team'], files: { '/agenda.md': 'agenda' } }],
};

const TAINTED: Asked = { request: { taint: ['/FromBob/report.md'] } };

jest.setTimeout(60_000);

describe.each([
  ['24.0.5', ''],
  ['32.0.1', '/nextcloud'],
])('the writing tools for files on Nextcloud %s at "%s"', (version, webRoot) => {
  let bed: FilesBed;
  beforeAll(async () => {
    bed = await FilesBed.start({ ...FIXTURE, nextcloud: { version } }, webRoot);
    await bed.startToolFiles((await bed.startGateway()).url);
  });
  beforeEach(() => {
    bed.emulator.reset();
    bed.tick();
  });
  afterAll(() => bed.close());

  const contentOf = async (path: string, uid = 'alice'): Promise<string> => {
    const text = await bed.answer('files_read', { path }, { uid });
    return text.slice(text.indexOf('\n\n') + 2);
  };
  const gone = (path: string, uid = 'alice') => bed.failure('files_info', { path }, { uid });
  const done = (result: ToolResult): ToolReceipt => {
    if (result.isError || !result.receipt) throw new Error(`not done: ${textOf(result)}`);
    return result.receipt;
  };
  const undo = async (receipt: ToolReceipt, confirms: boolean): Promise<ToolResult> => {
    if (!receipt.undo) throw new Error('the receipt names no inverse');
    const { tool, arguments: args } = receipt.undo;
    return confirms ? bed.confirmed(tool, args) : bed.execute(tool, args);
  };
  const effectOf = async (
    tool: string,
    args: Record<string, unknown>,
    asked?: Asked,
  ): Promise<PlannedEffect> => (await bed.plan(tool, args, asked)).effect;

  describe('files_write', () => {
    it('creates a file without a question, and the receipt undoes it', async () => {
      const result = await bed.execute('files_write', { path: '/Docs/new ä.md', content: '# Hällo 😀\n' });
      expect(textOf(result)).toMatch(/^Created "\/Docs\/new ä\.md" \(14 bytes, revision ".+"\)\.$/);
      const receipt = done(result);
      expect(receipt).toMatchObject({
        action: 'files.create',
        target: '/Docs/new ä.md',
        undo: { tool: 'files_delete', arguments: { path: '/Docs/new ä.md' } },
      });
      expect(await contentOf('/Docs/new ä.md')).toBe('# Hällo 😀\n');
      done(await undo(receipt, true));
      expect(await gone('/Docs/new ä.md')).toContain('There is no file');
    });

    it('does not replace a file unless it was told to, and says what would be right', async () => {
      expect(await bed.failure('files_write', { path: '/Docs/plan.md', content: 'x' })).toMatch(
        /^"\/Docs\/plan\.md" exists already \(11 bytes, changed .*\)\. Take another name, files_append to add to it, or `overwrite` true/,
      );
      expect(await contentOf('/Docs/plan.md')).toBe('# The plan\n');
    });

    it('asks before it replaces a file, then does it, and the receipt brings the former content back', async () => {
      const { action, effect } = await bed.plan('files_write', {
        path: '/Docs/plan.md',
        content: 'new',
        overwrite: true,
      });
      expect(effect).toEqual({
        verb: 'files.overwrite',
        target: '/Docs/plan.md',
        facts: [
          { kind: 'size', bytes: 11 },
          { kind: 'access', names: [], more: 0 },
          { kind: 'keeps-version' },
        ],
      });
      expect(await contentOf('/Docs/plan.md')).toBe('# The plan\n');
      bed.tick();
      const receipt = done(await bed.act(action));
      expect(receipt).toMatchObject({
        action: 'files.overwrite',
        before: action.targets[0]?.revision,
        undo: { tool: 'files_restore_version' },
      });
      expect(await contentOf('/Docs/plan.md')).toBe('new');
      bed.tick();
      done(await undo(receipt, true));
      expect(await contentOf('/Docs/plan.md')).toBe('# The plan\n');
    });

    it('says who else reads what is replaced', async () => {
      const effect = await effectOf('files_write', {
        path: '/Shared/brief.md',
        content: 'x',
        overwrite: true,
      });
      expect(effect.facts).toContainEqual({ kind: 'access', names: ['Bob Brown'], more: 0 });
      const inTeam = await effectOf('files_write', {
        path: '/Team/agenda.md',
        content: 'x',
        overwrite: true,
      });
      expect(inTeam.facts).toContainEqual({ kind: 'access', names: ['/Team (team folder)'], more: 0 });
      const ofBob = await effectOf('files_write', {
        path: '/FromBob/report.md',
        content: 'x',
        overwrite: true,
      });
      expect(ofBob.facts).toContainEqual({ kind: 'access', names: ['Bob Brown'], more: 0 });
    });

    it('refuses a revision that is not the current one', async () => {
      const args = { path: '/Docs/plan.md', content: 'x', overwrite: true, revision: '"old"' };
      expect(await bed.failure('files_write', args)).toContain('has changed: its revision is');
      expect(await bed.failure('files_write', { path: '/Docs/none.md', content: 'x', revision: 'e' })).toBe(
        'There is no file "/Docs/none.md" any more; leave `revision` out to create it.',
      );
      const info = await bed.answer('files_info', { path: '/Docs/plan.md' });
      const revision = /^revision: "(.+)"$/m.exec(info)?.[1];
      await bed.plan('files_write', { ...args, revision });
    });

    it('names the missing folder and the one that exists', async () => {
      expect(await bed.failure('files_write', { path: '/Docs/2027/May/x.md', content: 'x' })).toBe(
        'There is no folder "/Docs/2027/May". "/Docs" exists. files_mkdir makes one folder at a time.',
      );
      expect(await bed.failure('files_write', { path: '/Docs/plan.md/x.md', content: 'x' })).toBe(
        '"/Docs/plan.md" is a file, so nothing can be put into it.',
      );
      expect(await bed.failure('files_write', { path: '/Docs', content: 'x' })).toBe(
        '"/Docs" is a folder; `path` must name a file.',
      );
    });

    it('says what the person may not do, at the latest when Nextcloud does', async () => {
      const args = { path: '/readonly.md', content: 'x', overwrite: true };
      const reply = await bed.call('files_write', args);
      // Nextcloud 24 says of every received file that it may be written.
      const result = 'result' in reply ? reply.result : await bed.confirmed('files_write', args);
      expect(result.isError).toBe(true);
      expect(textOf(result)).toMatch(/may not change "\/readonly\.md"|not allowed to change/);
      expect(await contentOf('/readonly.md')).toBe('only read');
    });

    it.each([
      [{ path: '/x.md' }, '`content` is missing and must be a text'],
      [{ path: 'x.md', content: '' }, '`path` must start with "/"'],
      [{ path: '/x.md', content: 'x'.repeat(100_001) }, '`content` must be at most 100000 characters long'],
      [{ path: '/x.md', content: 'a\u0000b' }, '`content` must be valid text'],
      [{ path: '/', content: 'x' }, '"/" is a folder'],
    ])('refuses %j', async (args, words) => {
      expect(await bed.failure('files_write', args)).toContain(words);
    });

    it('waits for a "yes" with as much text as it takes at all', async () => {
      const content = 'ä"\n日'.repeat(25_000);
      const result = await bed.confirmed('files_write', { path: '/Docs/plan.md', content, overwrite: true });
      expect(result.isError).toBe(false);
    });

    it('tells Nextcloud’s own refusal of a name', async () => {
      expect(await bed.failure('files_write', { path: '/Docs/.htaccess', content: 'x' })).toMatch(
        /not allowed to change|does not accept the name/,
      );
    });
  });

  describe('files_append', () => {
    it('adds on a new line, keeps the file’s line ends, and the receipt undoes it', async () => {
      const receipt = done(await bed.execute('files_append', { path: '/windows.txt', content: 'three' }));
      expect(await contentOf('/windows.txt')).toBe('one\r\ntwo\r\nthree');
      bed.tick();
      done(await bed.execute('files_append', { path: '/Docs/plan.md', content: 'more\n' }));
      expect(await contentOf('/Docs/plan.md')).toBe('# The plan\nmore\n');
      done(await bed.execute('files_append', { path: '/Docs/2026/empty.txt', content: 'x' }));
      expect(await contentOf('/Docs/2026/empty.txt')).toBe('x');
      done(await undo(receipt, true));
      expect(await contentOf('/windows.txt')).toBe('one\r\ntwo');
    });

    it('creates nothing and adds to text only', async () => {
      expect(await bed.failure('files_append', { path: '/none.txt', content: 'x' })).toBe(
        'There is no file "/none.txt" to add to; files_write creates one.',
      );
      expect(await bed.failure('files_append', { path: '/photo.jpg', content: 'x' })).toContain(
        'is no UTF-8 text',
      );
      expect(await bed.failure('files_append', { path: '/Docs', content: 'x' })).toContain('is a folder');
      expect(
        await bed.failure('files_append', { path: '/Docs/plan.md', content: 'x', revision: 'old' }),
      ).toContain('has changed');
    });
  });

  describe('files_mkdir', () => {
    it('makes a folder, and one that is there is no mistake and no deed', async () => {
      const receipt = done(await bed.execute('files_mkdir', { path: '/Docs/2027' }));
      expect(receipt.undo).toEqual({ tool: 'files_delete', arguments: { path: '/Docs/2027' } });
      const again = await bed.execute('files_mkdir', { path: '/Docs/2027' });
      expect(textOf(again)).toBe('"/Docs/2027" exists already.');
      expect(again).not.toHaveProperty('receipt');
    });

    it('says which folder is missing, and does not make it', async () => {
      expect(await bed.failure('files_mkdir', { path: '/Docs/a/b/c' })).toContain(
        'There is no folder "/Docs/a/b". "/Docs" exists.',
      );
      expect(await bed.failure('files_mkdir', { path: '/Docs/plan.md' })).toContain('is a file');
      expect(await gone('/Docs/a')).toContain('There is no');
    });

    it('has one maker among many at once', async () => {
      const made = await Promise.all(
        Array.from({ length: 4 }, () => bed.execute('files_mkdir', { path: '/Docs/once' })),
      );
      expect(made.map(({ isError }) => isError)).toEqual([false, false, false, false]);
      expect(made.filter((result) => 'receipt' in result).length).toBeLessThanOrEqual(1);
    });
  });

  describe('files_delete', () => {
    it('always asks, with size, who else has it and where it goes', async () => {
      expect(await effectOf('files_delete', { path: '/Docs/plan.md' })).toEqual({
        verb: 'files.delete',
        target: '/Docs/plan.md',
        facts: [
          { kind: 'size', bytes: 11 },
          { kind: 'access', names: [], more: 0 },
          { kind: 'goes-to-trash' },
        ],
      });
      expect(await contentOf('/Docs/plan.md')).toBe('# The plan\n');
    });

    it('says how much a folder holds, and who loses what is shared in it', async () => {
      expect((await effectOf('files_delete', { path: '/Docs' })).facts).toContainEqual({
        kind: 'contains',
        files: 3,
        bytes: 21,
        atLeast: false,
      });
      expect((await effectOf('files_delete', { path: '/Shared' })).facts).toContainEqual({
        kind: 'access',
        names: ['Bob Brown', 'public link'],
        more: 0,
      });
    });

    it('never says "nobody" of a folder that it has not looked through', async () => {
      const { facts } = await effectOf('files_delete', { path: '/Many' });
      expect(facts).toContainEqual({ kind: 'not-all-seen' });
      expect(facts.map(({ kind }) => kind)).not.toContain('access');
    });

    it('deletes a file and a folder, and the receipts bring both back', async () => {
      for (const path of ['/Docs/2026/notes.txt', '/Docs']) {
        const receipt = done(await bed.confirmed('files_delete', { path }));
        expect(await gone(path)).toContain('There is no');
        bed.tick();
        done(await undo(receipt, false));
        await bed.answer('files_info', { path });
        bed.tick();
      }
      expect(await contentOf('/Docs/2026/notes.txt')).toBe('first line');
    });

    it('says of a received share that it stays with its owner, and only takes it out of sight', async () => {
      const { action, effect } = await bed.plan('files_delete', { path: '/FromBob' });
      expect(effect.facts).toContainEqual({ kind: 'stays-with', name: 'Bob Brown' });
      expect(effect.facts).not.toContainEqual({ kind: 'goes-to-trash' });
      const result = await bed.act(action);
      expect(textOf(result)).toContain('its owner still has it');
      expect(result.receipt?.undo).toBeUndefined();
      expect(await gone('/FromBob')).toContain('There is no');
      expect(await contentOf('/FromBob/report.md', 'bob')).toBe('report');
    });

    it('says of what lies in a received share that its owner loses it', async () => {
      const { action, effect } = await bed.plan('files_delete', { path: '/FromBob/report.md' });
      expect(effect.facts).toContainEqual({ kind: 'access', names: ['Bob Brown'], more: 0 });
      expect(effect.facts).toContainEqual({ kind: 'goes-to-trash' });
      done(await bed.act(action));
      expect(await gone('/FromBob/report.md', 'bob')).toContain('There is no');
    });

    it('refuses the root and the mount of a team folder', async () => {
      expect(await bed.failure('files_delete', { path: '/' })).toContain('"/" cannot be deleted');
      expect(await bed.failure('files_delete', { path: '/Team' })).toContain('is where a team folder begins');
      expect(await bed.failure('files_delete', { path: '/Docs/none' })).toContain('"/Docs" exists');
    });
  });

  describe('the trash', () => {
    it('is listed with what brings things back, the latest first', async () => {
      await bed.confirmed('files_delete', { path: '/photo.jpg' });
      bed.tick();
      await bed.confirmed('files_delete', { path: '/Docs/2026' });
      const lines = (await bed.answer('files_trash', {})).split('\n');
      expect(lines[0]).toMatch(/^The latest 2 of 2; times in Europe\/Berlin$/);
      expect(lines[1]).toMatch(/^\/Docs\/2026\/ \| 10 bytes \| deleted .* \| trash_id 2026\.d\d+$/);
      expect(lines[2]).toMatch(/^\/photo\.jpg \| 5 bytes \| deleted .* \| trash_id photo\.jpg\.d\d+$/);
      expect(await bed.answer('files_trash', { under: '/Docs' })).toContain('of 1;');
      expect(await bed.answer('files_trash', { under: '/Shared' })).toBe('The trash holds nothing of that.');
    });

    it('gives nothing back over something else, and not into a folder that is gone', async () => {
      const { undo: first } = done(await bed.confirmed('files_delete', { path: '/Docs/plan.md' }));
      await bed.execute('files_write', { path: '/Docs/plan.md', content: 'other' });
      expect(await bed.failure('files_restore', first?.arguments ?? {})).toContain('is not overwritten');
      expect(await contentOf('/Docs/plan.md')).toBe('other');
      const { undo: second } = done(await bed.confirmed('files_delete', { path: '/Docs/2026/notes.txt' }));
      bed.tick();
      await bed.confirmed('files_delete', { path: '/Docs/2026' });
      expect(await bed.failure('files_restore', second?.arguments ?? {})).toContain(
        'There is no folder "/Docs/2026". "/Docs" exists.',
      );
    });

    it.each(['none.d1', '../x', '..', 'a/b'])('knows no %s', async (id) => {
      expect(await bed.failure('files_restore', { trash_id: id })).toContain('files_trash');
    });
  });

  describe('versions', () => {
    it('are listed, asked about and brought back, and the receipt undoes it', async () => {
      bed.tick();
      await bed.confirmed('files_write', { path: '/Docs/plan.md', content: 'second', overwrite: true });
      bed.tick();
      await bed.confirmed('files_write', { path: '/Docs/plan.md', content: 'third', overwrite: true });
      const text = await bed.answer('files_versions', { path: '/Docs/plan.md' });
      expect(text).toContain('"/Docs/plan.md": 2 earlier versions');
      const [latest, oldest] = [...text.matchAll(/^version (\d+) \|/gm)].map(([, id]) => id);
      const { action, effect } = await bed.plan('files_restore_version', {
        path: '/Docs/plan.md',
        version: oldest,
      });
      expect(effect).toEqual({
        verb: 'files.restore-version',
        target: '/Docs/plan.md',
        facts: [
          { kind: 'size', bytes: 11 },
          { kind: 'version-of', at: new Date(Number(oldest) * 1_000).toISOString() },
          { kind: 'access', names: [], more: 0 },
          { kind: 'keeps-version' },
        ],
      });
      bed.tick();
      const receipt = done(await bed.act(action));
      expect(await contentOf('/Docs/plan.md')).toBe('# The plan\n');
      bed.tick();
      done(await undo(receipt, true));
      expect(await contentOf('/Docs/plan.md')).toBe('third');
      expect(Number(latest)).toBeGreaterThan(Number(oldest));
    });

    it('that do not exist are refused with where to look', async () => {
      expect(await bed.failure('files_restore_version', { path: '/Docs/plan.md', version: '1' })).toBe(
        '"/Docs/plan.md" has no earlier version 1; files_versions lists those it has.',
      );
      expect(await bed.answer('files_versions', { path: '/photo.jpg' })).toBe(
        'No earlier version of "/photo.jpg" is kept.',
      );
      expect(await bed.failure('files_versions', { path: '/Docs' })).toContain('only files have versions');
    });
  });

  describe('with the words of others before the model', () => {
    const source = { kind: 'source', name: '/FromBob/report.md' };

    it.each<[string, string, Record<string, unknown>]>([
      ['files.write-shared', 'files_write', { path: '/Shared/new.md', content: 'x' }],
      ['files.write-shared', 'files_write', { path: '/Team/new.md', content: 'x' }],
      ['files.write-shared', 'files_write', { path: '/FromBob/new.md', content: 'x' }],
      ['files.append-shared', 'files_append', { path: '/Shared/brief.md', content: 'x' }],
      ['files.mkdir-shared', 'files_mkdir', { path: '/Shared/inner/new' }],
      ['files.delete', 'files_delete', { path: '/Docs/plan.md' }],
      ['files.overwrite', 'files_write', { path: '/Docs/plan.md', content: 'x', overwrite: true }],
    ])('ask %s where others can see it, naming the source', async (verb, tool, args) => {
      const effect = await effectOf(tool, args, TAINTED);
      expect(effect.verb).toBe(verb);
      expect(effect.facts).toContainEqual(source);
    });

    it('do what was asked for then', async () => {
      done(await bed.confirmed('files_write', { path: '/Shared/new.md', content: 'x' }, TAINTED));
      expect(await contentOf('/Shared/new.md', 'alice')).toBe('x');
    });

    it('restore into a shared folder only after a question', async () => {
      const { undo: back } = done(await bed.confirmed('files_delete', { path: '/Shared/brief.md' }));
      const args = back?.arguments ?? {};
      expect((await effectOf('files_restore', args, TAINTED)).verb).toBe('files.restore-shared');
      done(await bed.execute('files_restore', args));
    });

    it('run where only the person can see it', async () => {
      done(await bed.execute('files_write', { path: '/Docs/mine.md', content: 'x' }, TAINTED));
      done(await bed.execute('files_append', { path: '/Docs/mine.md', content: 'y' }, TAINTED));
      done(await bed.execute('files_mkdir', { path: '/Docs/mine' }, TAINTED));
    });

    it('run in shared places where the words are the person’s own', async () => {
      done(await bed.execute('files_write', { path: '/Shared/new.md', content: 'x' }));
    });
  });

  it('ask for whatever an administrator wants confirmed, also a read', async () => {
    const asked = { request: { confirmAlways: true } };
    const { action, effect } = await bed.plan('files_mkdir', { path: '/Docs/x' }, asked);
    expect(effect).toEqual({
      verb: 'call',
      target: 'Make a folder',
      facts: [{ kind: 'argument', name: 'path', value: '/Docs/x' }],
    });
    done(await bed.act(action));
    const read = await bed.plan('files_read', { path: '/Docs/plan.md' }, asked);
    expect(textOf(await bed.act(read.action))).toContain('# The plan');
  });

  it.each<[string, Record<string, unknown>, string | undefined]>([
    ['files_read', { path: '/Docs/plan.md' }, undefined],
    ['files_read', { path: '/Shared/brief.md' }, '/Shared/brief.md'],
    ['files_read', { path: '/FromBob/report.md' }, '/FromBob/report.md'],
    ['files_read', { path: '/readonly.md' }, '/readonly.md'],
    ['files_read', { path: '/Team/agenda.md' }, '/Team/agenda.md'],
    ['files_list', { path: '/Docs' }, undefined],
    ['files_list', { path: '/Shared' }, '/Shared'],
    ['files_list', { path: '/Team' }, '/Team/agenda.md'],
    ['files_info', { path: '/Docs/plan.md' }, undefined],
    ['files_info', { path: '/Docs' }, undefined],
    ['files_info', { path: '/Shared' }, '/Shared'],
    ['files_info', { path: '/Shared/brief.md' }, '/Shared/brief.md'],
    ['files_info', { path: '/Shared/inner' }, '/Shared/inner'],
    ['files_info', { path: '/FromBob/report.md' }, '/FromBob/report.md'],
    ['files_info', { path: '/readonly.md' }, '/readonly.md'],
    ['files_info', { path: '/Team' }, '/Team'],
  ])('say of %s %j whose words may be in it: %s', async (tool, args, foreign) => {
    expect((await bed.execute(tool, args)).foreign).toBe(foreign);
  });

  it.each<[string, string | undefined]>([
    // Servers before 29 do not say who deleted it.
    ['/Docs/plan.md', version === '24.0.5' ? 'the trash' : undefined],
    ['/photo.jpg', version === '24.0.5' ? 'the trash' : undefined],
    ['/Shared/brief.md', 'the trash'],
    ['/FromBob/report.md', 'the trash'],
  ])('say of the trash with %s whose words may be in it: %s', async (path, foreign) => {
    await bed.confirmed('files_delete', { path });
    expect(await bed.execute('files_trash', {})).toMatchObject({ isError: false });
    expect((await bed.execute('files_trash', {})).foreign).toBe(foreign);
  });

  it('keep to the folders an administrator allows, in every argument and after the "yes"', async () => {
    const asked = { request: { scope: { paths: ['/Docs/2026'] } } };
    const { undo: outside } = done(await bed.confirmed('files_delete', { path: '/Docs/plan.md' }));
    const calls: [string, Record<string, unknown>][] = [
      ['files_write', { path: '/Docs/x.md', content: 'x' }],
      ['files_append', { path: '/windows.txt', content: 'x' }],
      ['files_mkdir', { path: '/Docs/2027' }],
      ['files_delete', { path: '/Shared' }],
      ['files_restore', outside?.arguments ?? {}],
      ['files_versions', { path: '/photo.jpg' }],
      ['files_restore_version', { path: '/photo.jpg', version: '1' }],
    ];
    for (const [tool, args] of calls) {
      expect([tool, await bed.failure(tool, args, asked)]).toEqual([
        tool,
        expect.stringContaining('outside of what this bot may use'),
      ]);
    }
    expect(await bed.answer('files_trash', {}, asked)).toBe('The trash holds nothing of that.');
    const { action } = await bed.plan('files_delete', { path: '/Docs/2026/notes.txt' }, asked);
    expect(action.scope).toEqual({ paths: ['/Docs/2026'] });
    const elsewhere = { ...action, arguments: { path: '/photo.jpg' } };
    expect(textOf(await bed.act(elsewhere))).toContain('Nothing was done: That is outside');
    await bed.answer('files_info', { path: '/photo.jpg' });
  });
});

it('says that a deletion is final where Nextcloud keeps no trash, and no version where it keeps none', async () => {
  const bed = await FilesBed.start({
    ...FIXTURE,
    nextcloud: { version: '32.0.1', apps: ['spreed', 'app_api'] },
  });
  await bed.startToolFiles((await bed.startGateway()).url);
  const { action, effect } = await bed.plan('files_delete', { path: '/Docs/plan.md' });
  expect(effect.facts).toContainEqual({ kind: 'is-final' });
  const overwrite = await bed.plan('files_write', { path: '/Docs/plan.md', content: 'x', overwrite: true });
  expect(overwrite.effect.facts).toContainEqual({ kind: 'keeps-no-version' });
  const result = await bed.act(action);
  expect(textOf(result)).toBe('Deleted "/Docs/plan.md". It was not found in the trash.');
  expect(result.receipt?.undo).toBeUndefined();
  await bed.close();
});
