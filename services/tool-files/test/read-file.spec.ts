import fc from 'fast-check';
import { MAX_RESULT_CHARACTERS } from '@nuqloud/contracts';
import { FakeFiles } from './fake-files';
import { answerOf, refusalOf, runTool } from './run-tool';

const contentOf = (text: string): string => text.slice(text.indexOf('\n\n') + 2);

describe('files_read', () => {
  it('shows a text with what it is', async () => {
    const files = new FakeFiles().file('/Docs/plan.md', '# Plan\n\nAll of it.\n', {
      mimetype: 'text/markdown',
    });
    expect(await runTool(files, 'files_read', { path: '/Docs/plan.md' })).toBe(
      '"/Docs/plan.md" | text/markdown | 19 bytes | 2026-11-30 18:26 (Europe/Berlin)\nBelow: the whole file.\n\n# Plan\n\nAll of it.\n',
    );
  });

  it('asks for the file it looked at, and for no more than the part', async () => {
    const files = new FakeFiles().file('/big.txt', 'x'.repeat(100_000));
    await runTool(files, 'files_read', { path: '/big.txt', offset: 40_000, length: 500 });
    expect(files.asked).toEqual(['stat /big.txt', 'read /big.txt 40000+503 "e1"']);
  });

  it('takes the byte order mark away', async () => {
    const files = new FakeFiles().file('/bom.txt', '\ufeffHällo');
    const text = await runTool(files, 'files_read', { path: '/bom.txt' });
    expect(contentOf(text)).toBe('Hällo');
    expect(text).toContain('the whole file');
  });

  it('reads a long file in parts that join without a gap, in any script', async () => {
    const original = 'Grüße 日本語 😀 مرحبا e\u0301\n'.repeat(200);
    const files = new FakeFiles().file('/long.txt', original);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 2_500 }), async (length) => {
        const parts: string[] = [];
        let offset: number | undefined = 0;
        for (let turn = 0; offset !== undefined && turn < 60; turn += 1) {
          const text: string = await runTool(files, 'files_read', { path: '/long.txt', offset, length });
          parts.push(contentOf(text));
          const next: string | undefined = /with offset (\d+)/.exec(text.slice(0, text.indexOf('\n\n')))?.[1];
          offset = next === undefined ? undefined : Number(next);
        }
        const joined = parts.join('');
        expect(original.startsWith(joined)).toBe(true);
        expect(joined).not.toContain('\ufffd');
        if (offset === undefined) expect(joined).toBe(original);
      }),
      { numRuns: 25 },
    );
  });

  it('moves an offset inside a character to the next one', async () => {
    const files = new FakeFiles().file('/x.txt', 'ä😀z');
    expect(contentOf(await runTool(files, 'files_read', { path: '/x.txt', offset: 1 }))).toBe('😀z');
    expect(contentOf(await runTool(files, 'files_read', { path: '/x.txt', offset: 3 }))).toBe('z');
  });

  it('stays below the cap with the longest part and name', async () => {
    const name = `/${'ä'.repeat(200)}/${'b'.repeat(250)}.txt`;
    const files = new FakeFiles().file(name, 'y'.repeat(50_000));
    const text = await runTool(files, 'files_read', { path: name });
    expect(text.length).toBeLessThanOrEqual(MAX_RESULT_CHARACTERS);
    expect(text).toContain('bytes 0 to 15000 of 50000; for the rest call files_read with offset 15000');
  });

  it('finds a file by its id, as attachments name it', async () => {
    const files = new FakeFiles().file('/Talk/note.txt', 'hello', { fileId: '4242' });
    expect(contentOf(await runTool(files, 'files_read', { file_id: '4242' }))).toBe('hello');
    expect(await refusalOf(runTool(files, 'files_read', { file_id: '1' }))).toContain(
      'no file or folder with the id 1',
    );
  });

  it.each([
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]), 'image/png'],
    ['a PDF', '%PDF-1.4\n1 0 obj\n', 'application/pdf'],
    [
      'an office file',
      'PK\u0003\u0004 word/document.xml',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ],
    ['Latin-1', Buffer.from('Gr\u00fc\u00dfe', 'latin1'), 'text/plain'],
    ['UTF-16', Buffer.from('\ufeffhello', 'utf16le'), 'text/plain'],
    ['zeros', Buffer.alloc(64), 'text/plain'],
    ['control characters', '\u0001\u0002\u0003abc', 'text/plain'],
  ])('names %s with size and type instead of showing it', async (_what, content, mimetype) => {
    const files = new FakeFiles().file('/thing', content, { mimetype });
    const text = await runTool(files, 'files_read', { path: '/thing' });
    expect(text).toMatch(/^"\/thing" is no UTF-8 text \(.*, \d+ bytes\), so its content cannot be shown\.$/);
    expect(text).toContain(mimetype);
  });

  it('reads text whatever its name or type says', async () => {
    const files = new FakeFiles().file('/photo.jpg', 'only text', { mimetype: 'image/jpeg' });
    expect(contentOf(await runTool(files, 'files_read', { path: '/photo.jpg' }))).toBe('only text');
  });

  it('never fails on any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 60 }),
        fc.integer({ min: 0, max: 59 }),
        fc.integer({ min: 1, max: 60 }),
        async (bytes, offset, length) => {
          const files = new FakeFiles().file('/any', bytes);
          const start = Math.min(offset, bytes.length - 1);
          const text = await runTool(files, 'files_read', { path: '/any', offset: start, length });
          expect(text).toMatch(/^"\/any"/);
        },
      ),
    );
  });

  it('says that a file is empty without asking for its content', async () => {
    const files = new FakeFiles().file('/empty', '');
    expect(await runTool(files, 'files_read', { path: '/empty' })).toBe('"/empty" is an empty file.');
    expect(files.asked).toEqual(['stat /empty']);
  });

  it('reads a file whose size the storage does not tell', async () => {
    const files = new FakeFiles().file('/ext/x.txt', 'abcdef', { size: null });
    expect(await runTool(files, 'files_read', { path: '/ext/x.txt' })).toContain('the whole file');
    expect(await runTool(files, 'files_read', { path: '/ext/x.txt', length: 2 })).toContain(
      'bytes 0 to 2 of more; for the rest call files_read with offset 2',
    );
  });

  it.each([
    [{ path: '/Docs' }, 'is a folder; files_list shows what is in it'],
    [{ path: '/Docs/plan.md', offset: 5 }, 'has only 5 bytes; `offset` must be smaller'],
    [{ path: '/Docs/none.md' }, '"/Docs" exists; files_list shows what is in it'],
    [{}, 'give either `path` or `file_id`'],
    [{ path: '/x', file_id: '1' }, 'give either `path` or `file_id`'],
    [{ file_id: 'abc' }, '`file_id` must be the digits of a file id'],
    [{ path: '/x', length: 20_000 }, '`length` must be at most 15000'],
  ])('refuses %j with what would be right', async (args, message) => {
    const files = new FakeFiles().file('/Docs/plan.md', 'hello');
    expect(await refusalOf(runTool(files, 'files_read', args))).toContain(message);
  });

  it('does not read in an end-to-end encrypted folder, nor take server-side encryption for it', async () => {
    const files = new FakeFiles()
      .folder('/S', { isEncryptedFolder: true })
      .file('/S/a/x', 'cipher')
      .file('/y', 'plain');
    expect(await refusalOf(runTool(files, 'files_read', { path: '/S/a/x' }))).toContain(
      'end-to-end encrypted',
    );
    expect(files.asked.filter((question) => question.startsWith('read'))).toEqual([]);
    expect(contentOf(await runTool(files, 'files_read', { path: '/y' }))).toBe('plain');
  });
});

describe('files_info', () => {
  it('tells what is known of a file', async () => {
    const files = new FakeFiles().file('/Docs/plan.md', 'x'.repeat(2_048), {
      mimetype: 'text/markdown',
      fileId: '208',
      etag: '"ba1f"',
      mount: 'shared',
      owner: { id: 'bob', name: 'Bob B' },
      sharedWith: ['user', 'link'],
      rights: { read: true, write: false, create: false, delete: true, move: true, share: true },
      lock: { by: 'user', holder: 'Carol' },
    });
    expect(await runTool(files, 'files_info', { path: '/Docs/plan.md' })).toBe(
      [
        'path: /Docs/plan.md',
        'type: file, text/markdown',
        'size: 2.0 KB (2048 bytes)',
        'modified: 2026-11-30 18:26 (Europe/Berlin)',
        'id: 208',
        'revision: "ba1f"',
        'allowed: read, rename and move, delete, share',
        'owner: Bob B (bob)',
        'place: shared by somebody else',
        'shared with: user, link',
        'lock: locked by Carol',
      ].join('\n'),
    );
  });

  it('leaves out what the server does not tell', async () => {
    const files = new FakeFiles().folder('/x', {
      size: null,
      fileId: null,
      etag: null,
      owner: null,
      modifiedAt: null,
    });
    expect(await runTool(files, 'files_info', { path: '/x' })).toBe(
      [
        'path: /x',
        'type: folder',
        'modified: date unknown (Europe/Berlin)',
        'allowed: read, change, add to it, rename and move, delete, share',
      ].join('\n'),
    );
  });

  it('does not describe an end-to-end encrypted folder', async () => {
    const files = new FakeFiles().folder('/S', { isEncryptedFolder: true });
    expect(await refusalOf(runTool(files, 'files_info', { path: '/S' }))).toContain('end-to-end encrypted');
  });
});

describe('whose words are in what was read', () => {
  const share = { kind: 'user' as const, with: 'bob', name: 'Bob' };
  const foreignOf = async (files: FakeFiles, path = '/Docs/plan.md') =>
    (await answerOf(files, 'files_read', { path })).foreign;
  const shared = (canWrite: boolean) => {
    const files = new FakeFiles().folder('/Docs', { sharedWith: ['user'] }).file('/Docs/plan.md', 'x');
    files.shares.set('/Docs', [{ ...share, canWrite }]);
    return files;
  };

  it('is nobody else’s in the person’s own files, nor where others may only read', async () => {
    expect(await foreignOf(new FakeFiles().file('/Docs/plan.md', 'x'))).toBeUndefined();
    expect(await foreignOf(shared(false))).toBeUndefined();
  });

  it('may be others’ where they can write, also through a folder above', async () => {
    expect(await foreignOf(shared(true))).toBe('/Docs/plan.md');
  });

  it.each<[string, Parameters<FakeFiles['file']>[2]]>([
    ['somebody else owns it', { owner: { id: 'bob', name: 'Bob' } }],
    ['nobody is said to own it', { owner: null }],
    ['it was received', { mount: 'shared' }],
    ['it lies in a team folder', { mount: 'group' }],
    ['it lies on an external storage', { mount: 'external' }],
  ])('may be others’ where %s', async (_what, over) => {
    expect(await foreignOf(new FakeFiles().file('/Docs/plan.md', 'x', over))).toBe('/Docs/plan.md');
  });

  it('may be others’ where Nextcloud does not say', async () => {
    const files = shared(false);
    files.shares.set('/Docs', null);
    expect(await foreignOf(files)).toBe('/Docs/plan.md');
  });
});
