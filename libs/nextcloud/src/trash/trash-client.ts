import { DavSession } from '../dav/dav-session';
import { clark } from '../dav/dav-names';
import type { PrefixedName } from '../dav/dav-names';
import type { DavResponse } from '../dav/dav-response';
import { FILES_ERRORS, filesErrorOf, isFilesError, trashItemGone } from '../files/files-error';
import { parseFilePath } from '../files/file-path';
import type { FilePath } from '../files/file-path';
import { lastSegmentOf } from '../files/file-href';
import type { GatewayClient } from '../gateway/gateway-client';

/** Something that was deleted and can come back. */
export interface TrashItem {
  /** The trash's own name for it, e.g. `plan.md.d1700000000`. */
  readonly id: string;
  /** Where it was; null where no request could name it. */
  readonly from: FilePath | null;
  readonly kind: 'file' | 'folder';
  readonly fileId: string | null;
  /** Bytes. */
  readonly size: number | null;
  readonly deletedAt: Date | null;
  /** User id, where the server tells. */
  readonly deletedBy: string | null;
}

const PROPERTIES = [
  'd:resourcetype',
  'oc:fileid',
  'oc:size',
  'nc:trashbin-filename',
  'nc:trashbin-original-location',
  'nc:trashbin-deletion-time',
  'nc:trashbin-deleted-by-id',
] as const satisfies readonly PrefixedName[];

/** The acting person's trash. */
export class TrashClient {
  private readonly dav: DavSession;

  constructor(gateway: GatewayClient) {
    this.dav = new DavSession(gateway);
  }

  /** Everything in it, in the server's order, as it arrives. */
  async *items(): AsyncGenerator<TrashItem> {
    const response = await this.dav.propfind(
      `${await this.trash()}/`,
      PROPERTIES,
      { depth: '1' },
      'the trash',
    );
    let isTrashItself = true;
    for await (const resource of this.dav.resources(response)) {
      if (!isTrashItself) yield readTrashItem(resource);
      isTrashItself = false;
    }
  }

  /** @throws FilesError NOT_FOUND */
  async find(id: string): Promise<TrashItem> {
    const url = `${await this.trash()}/${encodeURIComponent(id)}`;
    try {
      const response = await this.dav.propfind(url, PROPERTIES, { depth: '0' }, id);
      for await (const resource of this.dav.resources(response)) return readTrashItem(resource);
    } catch (error) {
      if (!isFilesError(error, FILES_ERRORS.NOT_FOUND)) throw error;
    }
    throw trashItemGone(id);
  }

  /**
   * Puts something back where it was. Nextcloud ignores where it is sent to, never overwrites (it adds
   * " (restored)" to the name), and takes the root where the folder is gone: look before and afterwards.
   */
  async restore(id: string): Promise<void> {
    const tree = await this.dav.treeOf('trashbin');
    const name = encodeURIComponent(id);
    // No `Overwrite`: `F` is refused even where the name is free.
    const headers = { destination: `${tree}/restore/${name}` };
    const response = await this.dav.write('MOVE', `${tree}/trash/${name}`, { headers }, id);
    if (response.status === 404) {
      await response.discard();
      throw trashItemGone(id);
    }
    if (response.status < 200 || response.status > 299) throw await filesErrorOf(response, id, 'restore');
    await response.discard();
  }

  private async trash(): Promise<string> {
    return `${await this.dav.treeOf('trashbin')}/trash`;
  }
}

const readTrashItem = (resource: DavResponse): TrashItem => {
  const text = (name: (typeof PROPERTIES)[number]) =>
    resource.properties.get(clark(name))?.text.trim() || null;
  const type = resource.properties.get(clark('d:resourcetype'));
  const from = parseFilePath(`/${text('nc:trashbin-original-location') ?? ''}`);
  const size = Number(text('oc:size') ?? Number.NaN);
  const seconds = Number(text('nc:trashbin-deletion-time') ?? Number.NaN);
  return {
    id: lastSegmentOf(resource.href),
    from: from.ok && from.path !== '/' ? from.path : null,
    kind: type?.elements.some(({ name }) => name === clark('d:collection')) ? 'folder' : 'file',
    fileId: text('oc:fileid'),
    size: Number.isSafeInteger(size) ? size : null,
    deletedAt: Number.isSafeInteger(seconds) ? new Date(seconds * 1_000) : null,
    deletedBy: text('nc:trashbin-deleted-by-id'),
  };
};
