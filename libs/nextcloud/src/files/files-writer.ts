import { DavSession } from '../dav/dav-session';
import type { GatewayClient } from '../gateway/gateway-client';
import type { NextcloudResponse } from '../gateway/nextcloud-response';
import { encodePath } from './file-path';
import type { FilePath } from './file-path';
import { FILES_ERRORS, FilesError, fileLocked, filesErrorOf } from './files-error';
import type { FilesClient } from './files-client';

/** The ETag of what stands there now, with its quotes; null where the server does not say. */
export interface Written {
  readonly etag: string | null;
}

const BINARY = { 'content-type': 'application/octet-stream' };
const LOCKED = 423;

/**
 * The write side of Nextcloud Files. Nothing is replaced or deleted but the revision that is named. Every method
 * fails with a FilesError (then nothing was changed), with the gateway's own AppError, or with OutcomeUnknown.
 */
export class FilesWriter {
  private readonly dav: DavSession;

  constructor(
    gateway: GatewayClient,
    private readonly files: Pick<FilesClient, 'stat'>,
  ) {
    this.dav = new DavSession(gateway);
  }

  /** A new file. @throws FilesError EXISTS, NO_FOLDER */
  async create(path: FilePath, content: string | Uint8Array): Promise<Written> {
    const response = await this.put(path, content, { 'if-none-match': '*' });
    if (response.status === 412) throw await this.refused(response, exists(path));
    return this.written(response, path);
  }

  /** New content for a file whose current ETag is `etag`. @throws FilesError CHANGED */
  async replace(path: FilePath, content: string | Uint8Array, etag: string): Promise<Written> {
    return this.written(await this.put(path, content, { 'if-match': etag }), path);
  }

  /** @throws FilesError EXISTS, NO_FOLDER */
  async makeFolder(path: FilePath): Promise<void> {
    const response = await this.dav.write('MKCOL', await this.urlOf(path), {}, path);
    if (response.status === 405) throw await this.refused(response, exists(path));
    if (response.status === 409) throw await this.refused(response, noFolder(path));
    await this.succeeded(response, path);
  }

  /**
   * Deletes a file or a folder with everything in it. Nextcloud compares the ETags of files only: of a folder, look
   * right before.
   * @param etag of a file; null for a folder
   * @throws FilesError CHANGED
   */
  async remove(path: FilePath, etag: string | null): Promise<void> {
    const headers = etag === null ? {} : { 'if-match': etag };
    await this.succeeded(await this.dav.write('DELETE', await this.urlOf(path), { headers }, path), path);
  }

  private async put(
    path: FilePath,
    content: string | Uint8Array,
    condition: Readonly<Record<string, string>>,
  ): Promise<NextcloudResponse> {
    const request = { headers: { ...BINARY, ...condition }, body: content };
    return this.dav.write('PUT', await this.urlOf(path), request, path);
  }

  private async written(response: NextcloudResponse, path: FilePath): Promise<Written> {
    // A missing folder is 404 in older versions and 409 in newer ones.
    if (response.status === 404 || response.status === 409) {
      throw await this.refused(response, noFolder(path));
    }
    await this.succeeded(response, path);
    return { etag: response.header('oc-etag') ?? response.header('etag') };
  }

  private async succeeded(response: NextcloudResponse, path: FilePath): Promise<void> {
    if (response.status === LOCKED) {
      throw await this.refused(response, fileLocked(path, await this.lockOf(path)));
    }
    if (response.status < 200 || response.status > 299) throw await filesErrorOf(response, path, 'change');
    await response.discard();
  }

  /** Who holds it; a name that Nextcloud calls locked may not exist at all. */
  private async lockOf(path: FilePath) {
    try {
      return (await this.files.stat(path)).lock;
    } catch (error) {
      if (error instanceof FilesError) return null;
      throw error;
    }
  }

  private async refused(response: NextcloudResponse, error: FilesError): Promise<FilesError> {
    await response.discard();
    return error;
  }

  private async urlOf(path: FilePath): Promise<string> {
    return `${await this.dav.treeOf('files')}${encodePath(path)}`;
  }
}

const exists = (path: FilePath): FilesError =>
  new FilesError(FILES_ERRORS.EXISTS, `"${path}" exists by now; nothing was changed.`);

const noFolder = (path: FilePath): FilesError =>
  new FilesError(
    FILES_ERRORS.NO_FOLDER,
    `The folder of "${path}" does not exist, or it is none; nothing was changed.`,
  );
