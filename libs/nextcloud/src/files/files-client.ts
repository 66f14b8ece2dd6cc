import type { DavResponse } from '../dav/dav-response';
import { DAV_ROOT, DavSession, XML } from '../dav/dav-session';
import { searchByIdBody } from '../dav/request-bodies';
import type { GatewayClient } from '../gateway/gateway-client';
import type { NextcloudResponse } from '../gateway/nextcloud-response';
import type { ByteRange, FileContent } from './file-content';
import { readFileContent } from './file-content';
import type { FileEntry } from './file-entry';
import { pathOfHref } from './file-href';
import { PageCollector } from './file-page';
import type { FilePage, ServerPaging } from './file-page';
import { encodePath, parseFilePath } from './file-path';
import type { FilePath } from './file-path';
import { fileLocked, filesErrorOf, notFound, unexpectedAnswer } from './files-error';
import { FIRST_PAGE, parseListCursor } from './list-cursor';
import type { ListCursor } from './list-cursor';
import { ENTRY_PROPERTIES, readFileEntry } from './read-file-entry';

const LOCKED = 423;

/**
 * The read side of Nextcloud Files over WebDAV, as whoever the gateway says.
 * Every method fails with a `FilesError`, or with the gateway's own AppError.
 */
export class FilesClient {
  private readonly dav: DavSession;

  constructor(gateway: GatewayClient) {
    this.dav = new DavSession(gateway);
  }

  async stat(path: FilePath): Promise<FileEntry> {
    const response = await this.propfind(path, { depth: '0' });
    for await (const { entry, at } of this.entries(response)) if (at === path) return entry();
    throw unexpectedAnswer(path, response.status);
  }

  /**
   * A page of a folder. Where the server pages by itself only the page is transferred; otherwise
   * the whole listing is read through and only the page is kept.
   * @param options.cursor from `cursorAfter` of an earlier page of the same folder
   */
  async list(path: FilePath, options: { limit: number; cursor?: string | undefined }): Promise<FilePage> {
    const cursor = options.cursor === undefined ? FIRST_PAGE : parseListCursor(options.cursor);
    const response = await this.propfind(path, { depth: '1', ...pagingHeaders(cursor, options.limit) });
    const page = new PageCollector(cursor, options.limit, pagingOf(response, cursor));
    for await (const { entry, at } of this.entries(response)) {
      if (at === path) page.addFolder(entry());
      else if (parentOf(at) === path) page.addEntry(entry);
      else throw unexpectedAnswer(path, response.status);
    }
    return page.finish();
  }

  /**
   * A file's bytes. Nextcloud answers a folder with a page of text: look first what it is.
   * @param options.ifMatch ETag with its quotes; FILES.CHANGED where the file has another by now
   */
  async read(path: FilePath, options: { range?: ByteRange; ifMatch?: string } = {}): Promise<FileContent> {
    const { range, ifMatch } = options;
    const response = await this.dav.read(await this.urlOf(path), {
      ...(range && { range: `bytes=${range.start}-${range.start + range.length - 1}` }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    });
    if (response.status === LOCKED) {
      await response.discard();
      throw fileLocked(path, (await this.stat(path)).lock);
    }
    if (response.status !== 200 && response.status !== 206) throw await filesErrorOf(response, path);
    return readFileContent(response, range);
  }

  /** Where the file with this id lies in the person's files. */
  async pathById(fileId: string): Promise<FilePath> {
    const uid = await this.dav.uid();
    const what = `with the id ${fileId}`;
    const request = { headers: XML, body: searchByIdBody(uid, fileId) };
    const response = await this.dav.multistatus('SEARCH', `${DAV_ROOT}/`, request, what);
    for await (const { at } of this.entries(response)) {
      const parsed = parseFilePath(at);
      if (parsed.ok) return parsed.path;
    }
    throw notFound(what);
  }

  private async propfind(path: FilePath, headers: Record<string, string>): Promise<NextcloudResponse> {
    return this.dav.propfind(await this.urlOf(path), ENTRY_PROPERTIES, headers, path);
  }

  /** The resources of an answer; one outside this person's files makes the whole answer worthless. */
  private async *entries(
    response: NextcloudResponse,
  ): AsyncGenerator<{ at: string; entry: () => FileEntry }> {
    const uid = await this.dav.uid();
    for await (const resource of this.dav.resources(response)) {
      const at = placeOf(resource, uid);
      if (at === undefined) throw unexpectedAnswer('this folder', response.status);
      yield { at, entry: () => readFileEntry(resource, at) };
    }
  }

  private async urlOf(path: FilePath): Promise<string> {
    return `${await this.dav.treeOf('files')}${encodePath(path) || '/'}`;
  }
}

const placeOf = (resource: DavResponse, uid: string): string | undefined => pathOfHref(resource.href, uid);

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';

/** The folder itself is the first resource of a listing and counts as one (Nextcloud 31 and later; ignored before). */
const pagingHeaders = (cursor: ListCursor, limit: number): Record<string, string> => ({
  'x-nc-paginate': 'true',
  'x-nc-paginate-count': String(cursor.offset === 0 ? limit + 1 : limit),
  ...(cursor.offset > 0 && { 'x-nc-paginate-offset': String(cursor.offset + 1) }),
  ...(cursor.token !== null && { 'x-nc-paginate-token': cursor.token }),
});

const pagingOf = (response: NextcloudResponse, cursor: ListCursor): ServerPaging => {
  const token = response.header('x-nc-paginate-token');
  const resources = Number(response.header('x-nc-paginate-total') ?? Number.NaN);
  const issued = token !== null && Number.isSafeInteger(resources) ? { token, resources } : null;
  const continued = issued === null && cursor.token !== null && response.header('x-nc-paginate') === 'true';
  return { issued, continued };
};
