import type { FileEntry } from './file-entry';
import { formatListCursor, versionOf } from './list-cursor';
import type { ListCursor } from './list-cursor';

/** A part of a folder's entries, in the server's order. */
export interface FilePage {
  /** The folder itself; null on later pages of a server that pages. It is a file where a file was listed. */
  readonly folder: FileEntry | null;
  readonly entries: readonly FileEntry[];
  /** Entries that came before. */
  readonly offset: number;
  /** Entries of the folder. */
  readonly total: number;
  /** The folder is not the one that the cursor came from: entries may be missing or come twice. */
  readonly changed: boolean;
  /** Cursor behind the first `count` entries of this page, or null where nothing follows. */
  cursorAfter(count: number): string | null;
}

/** What the server said about its own paging. */
export interface ServerPaging {
  /** A new memory of the listing, with the number of resources in it (the folder counts). */
  readonly issued: { readonly token: string; readonly resources: number } | null;
  /** The answer is a part of the listing that the cursor's token stands for. */
  readonly continued: boolean;
}

/**
 * Collects one page from a listing as it arrives. Of whatever lies outside the page only the
 * number is kept, so that a folder of any size costs the memory of one page.
 */
export class PageCollector {
  private folder: FileEntry | null = null;
  private position: number;
  private readonly entries: FileEntry[] = [];

  constructor(
    private readonly cursor: ListCursor,
    private readonly limit: number,
    private readonly paging: ServerPaging,
  ) {
    this.position = cursor.offset;
  }

  /** The folder comes first, so an answer that begins with it begins at the beginning. */
  addFolder(folder: FileEntry): void {
    this.folder = folder;
    this.position = 0;
  }

  /** @param read makes the entry, where it belongs to the page */
  addEntry(read: () => FileEntry): void {
    const wanted = this.position >= this.cursor.offset && this.entries.length < this.limit;
    if (wanted) this.entries.push(read());
    this.position += 1;
  }

  finish(): FilePage {
    const { cursor, entries } = this;
    const total = this.total();
    const next: ListCursor = { ...this.mark(), total, offset: cursor.offset };
    return {
      folder: this.folder,
      entries,
      offset: cursor.offset,
      total,
      changed: this.changed(next),
      cursorAfter: (count) => {
        const offset = cursor.offset + Math.min(count, entries.length);
        return entries.length > 0 && offset < total ? formatListCursor({ ...next, offset }) : null;
      },
    };
  }

  private total(): number {
    if (this.paging.issued) return Math.max(0, this.paging.issued.resources - 1);
    return this.paging.continued ? this.cursor.total : this.position;
  }

  private mark(): Pick<ListCursor, 'token' | 'version'> {
    if (this.paging.issued) return { token: this.paging.issued.token, version: null };
    if (this.paging.continued) return { token: this.cursor.token, version: null };
    return { token: null, version: versionOf(this.folder?.etag ?? null) };
  }

  /** A token that was replaced, or a version that moved on, means that the folder was listed anew. */
  private changed(next: ListCursor): boolean {
    const { cursor } = this;
    if (cursor.token === null && cursor.version === null) return false;
    return cursor.token !== next.token || cursor.version !== next.version;
  }
}
