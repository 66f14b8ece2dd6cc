import { ancestorsOf, FILES_ERRORS, FilesError, parseFilePath, ROOT } from '@nuqloud/nextcloud';
import type { FileEntry, FilePage, FilePath, Share } from '@nuqloud/nextcloud';
import type { Files } from '../src/call/files-call';

export const at = (text: string): FilePath => {
  const parsed = parseFilePath(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.path;
};

interface Node {
  readonly entry: FileEntry;
  readonly content: Buffer;
}

/** A person's files in memory, told apart from the real ones by nothing that these tools look at. */
export class FakeFiles implements Files {
  private readonly nodes = new Map<string, Node>();
  /** Every question that would have reached Nextcloud. */
  readonly asked: string[] = [];

  /** Null: Nextcloud does not say. */
  readonly shares = new Map<string, Share[] | null>();

  constructor() {
    this.add(ROOT, { kind: 'folder' });
  }

  folder(path: string, over: Partial<FileEntry> = {}): this {
    return this.add(at(path), { kind: 'folder', ...over });
  }

  file(path: string, content: string | Uint8Array, over: Partial<FileEntry> = {}): this {
    for (const folder of ancestorsOf(at(path))) if (!this.nodes.has(folder)) this.folder(folder);
    const bytes = Buffer.from(content as Uint8Array);
    return this.add(at(path), { kind: 'file', size: bytes.length, mimetype: 'text/plain', ...over }, bytes);
  }

  async stat(path: FilePath): Promise<FileEntry> {
    this.asked.push(`stat ${path}`);
    return Promise.resolve(this.demand(path).entry);
  }

  async list(path: FilePath, options: { limit: number; cursor?: string | undefined }): Promise<FilePage> {
    this.asked.push(`list ${path}`);
    const { entry: folder } = this.demand(path);
    const prefix = path === ROOT ? '/' : `${path}/`;
    const all = [...this.nodes.values()]
      .map(({ entry }) => entry)
      .filter((entry) => entry.path !== ROOT && entry.path.startsWith(prefix))
      .filter((entry) => !entry.path.slice(prefix.length).includes('/'));
    const offset = Number(options.cursor ?? 0);
    const entries = all.slice(offset, offset + options.limit);
    return Promise.resolve({
      folder,
      entries,
      offset,
      total: all.length,
      changed: false,
      cursorAfter: (count) => (offset + count < all.length ? String(offset + count) : null),
    });
  }

  read: Files['read'] = async (path, { range, ifMatch } = {}) => {
    this.asked.push(`read ${path} ${range?.start}+${range?.length} ${ifMatch}`);
    const { content, entry } = this.demand(path);
    const part = range ? content.subarray(range.start, range.start + range.length) : content;
    async function* chunks(): AsyncGenerator<Uint8Array> {
      for (let from = 0; from < part.length; from += 7)
        yield await Promise.resolve(part.subarray(from, from + 7));
    }
    return Promise.resolve({ size: content.length, etag: entry.etag, chunks: chunks() });
  };

  async pathById(fileId: string): Promise<FilePath> {
    this.asked.push(`id ${fileId}`);
    const found = [...this.nodes.values()].find(({ entry }) => entry.fileId === fileId);
    return Promise.resolve(found ? at(found.entry.path) : this.missing(`with the id ${fileId}`));
  }

  sharesOf(path: FilePath): Promise<Share[]> {
    const shares = this.shares.get(path) ?? [];
    if (this.shares.get(path) !== null) return Promise.resolve(shares);
    return Promise.reject(new FilesError(FILES_ERRORS.UNAVAILABLE, 'Nextcloud does not say.'));
  }

  private demand(path: FilePath): Node {
    return this.nodes.get(path) ?? this.missing(path);
  }

  private missing(what: string): never {
    throw new FilesError(FILES_ERRORS.NOT_FOUND, `There is no file or folder ${what}.`);
  }

  private add(path: FilePath, over: Partial<FileEntry>, content = Buffer.alloc(0)): this {
    const entry: FileEntry = {
      path,
      name: path.slice(path.lastIndexOf('/') + 1),
      kind: 'file',
      fileId: String(100 + this.nodes.size),
      size: 0,
      mimetype: null,
      modifiedAt: new Date('2026-11-30T17:26:15Z'),
      etag: '"e1"',
      rights: { read: true, write: true, create: true, delete: true, move: true, share: true },
      mount: 'local',
      isMountRoot: false,
      isEncryptedFolder: false,
      owner: { id: 'alice', name: 'Alice Adams' },
      sharedWith: [],
      lock: null,
      ...over,
    };
    this.nodes.set(path, { entry, content });
    return this;
  }
}
