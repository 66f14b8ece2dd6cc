import { FilesBed } from './files-bed';

const ODD_NAMES = [
  'a b.txt',
  'a#b.txt',
  '100%.txt',
  'a%20b.txt',
  'a+b.txt',
  '😀 smile.txt',
  'it\'s "q".txt',
  'a&b<c>.txt',
  'what?.txt',
  'a;b=c.txt',
  '[x](y).txt',
  'Übung é.txt',
  'Отчёт.txt',
  '日本語.txt',
  'مرحبا.txt',
];
const MANY = Array.from({ length: 230 }, (_, index) => `file-${String(index).padStart(3, '0')}.txt`);
const LONG = 'Zeile mit ä und 😀\n'.repeat(4_000);

const filesOf = (folder: string, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [`${folder}/${name}`, `content of ${name}`]));

const FIXTURE = {
  users: [
    { id: 'alice', displayName: 'Alice Adams' },
    { id: 'bob@example.org', displayName: 'Bob' },
  ],
  files: {
    alice: {
      '/Docs/plan.md': '# The plan\n',
      '/Docs/2026/notes.txt': 'notes',
      '/Empty/': null,
      '/long.txt': LONG,
      '/photo.jpg': {
        base64: Buffer.from([0xff, 0xd8, 0xff, 0, 1]).toString('base64'),
        mimetype: 'image/jpeg',
      },
      ...filesOf('/Odd', ODD_NAMES),
      ...filesOf('/Many', MANY),
    },
    'bob@example.org': { '/mine.txt': 'of Bob' },
  },
};

const rowsOf = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.includes(' | '))
    .map((line) => line.split(' | ')[0] ?? '');

jest.setTimeout(60_000);

describe.each([
  ['24.0.5', '', 'sends everything'],
  ['32.0.1', '/nextcloud', 'pages'],
])('the tools for files on Nextcloud %s at "%s", which %s', (version, webRoot, paging) => {
  let bed: FilesBed;
  beforeAll(async () => {
    bed = await FilesBed.start({ ...FIXTURE, nextcloud: { version } }, webRoot);
    const gateway = await bed.startGateway();
    await bed.startToolFiles(gateway.url);
  });
  afterAll(() => bed.close());

  it('list a folder of the person who wrote', async () => {
    const text = await bed.answer('files_list', { path: '/Docs' });
    expect(text).toContain('"/Docs": entries 1 to 2 of 2; times in Europe/Berlin');
    expect(rowsOf(text).sort()).toEqual(['2026/', 'plan.md']);
    expect(rowsOf(await bed.answer('files_list', { path: '/' }, { uid: 'bob@example.org' }))).toEqual([
      'mine.txt',
    ]);
  });

  it('read what they listed, whatever its name', async () => {
    const names = rowsOf(await bed.answer('files_list', { path: '/Odd' }));
    expect([...names].sort()).toEqual([...ODD_NAMES].sort());
    for (const name of names) {
      expect(await bed.answer('files_read', { path: `/Odd/${name}` })).toContain(`content of ${name}`);
    }
  });

  it('take a name in decomposed form for the same file', async () => {
    expect(await bed.answer('files_read', { path: '/Odd/U\u0308bung e\u0301.txt' })).toContain(
      'content of Übung é.txt',
    );
  });

  it('page through a folder without a gap and with the total', async () => {
    const seen: string[] = [];
    const cursors: string[] = [];
    do {
      const cursor = cursors.at(-1);
      const text = await bed.answer('files_list', { path: '/Many', limit: 100, ...(cursor && { cursor }) });
      expect(text).toContain(`of ${MANY.length}; times`);
      expect(text).not.toContain('changed');
      seen.push(...rowsOf(text));
      const [, next] = /cursor "([^"]+)"/.exec(text) ?? [];
      if (next === undefined) break;
      cursors.push(next);
    } while (cursors.length < 10);
    // A cursor carries the server's token where it pages, or else the version of the folder.
    expect(cursors).toEqual(Array(2).fill(expect.stringMatching(paging === 'pages' ? /\.t/ : /\.e/)));
    expect([...seen].sort()).toEqual(MANY);
  });

  it('read a long file in parts that join without a gap', async () => {
    let joined = '';
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const text: string = await bed.answer('files_read', { path: '/long.txt', offset });
      const split: number = text.indexOf('\n\n');
      joined += text.slice(split + 2);
      const next: string | undefined = /with offset (\d+)/.exec(text.slice(0, split))?.[1];
      offset = next === undefined ? undefined : Number(next);
    }
    expect(joined).toBe(LONG);
  });

  it('describe a file, and find it again by its id', async () => {
    const info = await bed.answer('files_info', { path: '/Docs/plan.md' });
    expect(info).toMatch(/^path: \/Docs\/plan\.md\ntype: file, text\/markdown\nsize: 11 bytes/);
    expect(info).toContain('allowed: read, change, rename and move, delete, share');
    const id = /^id: (\d+)$/m.exec(info)?.[1];
    expect(await bed.answer('files_read', { file_id: id })).toContain('# The plan');
  });

  it('say what is no text, what is empty and what does not exist', async () => {
    expect(await bed.answer('files_read', { path: '/photo.jpg' })).toContain(
      'is no UTF-8 text (image/jpeg, 5 bytes)',
    );
    expect(await bed.answer('files_list', { path: '/Empty' })).toBe('"/Empty" is empty.');
    expect(await bed.failure('files_read', { path: '/Docs/2027/x.md' })).toBe(
      'There is no file or folder "/Docs/2027/x.md". "/Docs" exists; files_list shows what is in it.',
    );
    expect(await bed.failure('files_read', { file_id: '999999' })).toContain(
      'no file or folder with the id 999999',
    );
    expect(await bed.failure('files_read', { path: '/Docs' })).toContain('is a folder');
    expect(await bed.failure('files_list', { path: '/long.txt' })).toContain('is a file');
  });

  it('stay inside the folders an administrator allows', async () => {
    const request = { scope: { paths: ['/Docs/2026'] } };
    expect(await bed.answer('files_read', { path: '/Docs/2026/notes.txt' }, { request })).toContain('notes');
    expect(await bed.failure('files_read', { path: '/Docs/plan.md' }, { request })).toContain('"/Docs/2026"');
  });

  it('say in a sentence what Nextcloud refused', async () => {
    await fault(bed, { match: { method: 'PROPFIND', user: 'alice' }, status: 503, times: 1 });
    expect(await bed.failure('files_list', { path: '/' })).toMatch(/not available|maintenance/);
    expect(await bed.answer('files_list', { path: '/' })).toContain('Docs/');
  });

  it('log ids and numbers, but no name, path or content', () => {
    const ours = bed.logs.filter((line) => line.includes('"service":"tool-files"'));
    expect(ours.some((line) => line.includes('tool.executed'))).toBe(true);
    expect(ours.join('')).not.toMatch(/plan|Docs|Alice|list my files|content of/);
  });
});

const fault = async (bed: FilesBed, body: object): Promise<void> => {
  const response = await fetch(`${new URL(bed.emulator.url).origin}/_emulator/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
};
