import { DavSession } from '../dav/dav-session';
import { clark } from '../dav/dav-names';
import type { PrefixedName } from '../dav/dav-names';
import type { DavResponse } from '../dav/dav-response';
import { lastSegmentOf } from '../files/file-href';
import { filesErrorOf } from '../files/files-error';
import type { GatewayClient } from '../gateway/gateway-client';

/** An earlier content of a file; newer servers list the current one among them. */
export interface FileVersion {
  /** Seconds since the epoch at which the file had got that content, as the server names it. */
  readonly id: string;
  readonly at: Date | null;
  /** Bytes. */
  readonly size: number | null;
}

const PROPERTIES = ['d:getlastmodified', 'd:getcontentlength'] as const satisfies readonly PrefixedName[];

/** The earlier contents that Nextcloud keeps of files. */
export class VersionsClient {
  private readonly dav: DavSession;

  constructor(gateway: GatewayClient) {
    this.dav = new DavSession(gateway);
  }

  /** The latest first. @param what names the file in errors */
  async list(fileId: string, what: string): Promise<FileVersion[]> {
    const response = await this.dav.propfind(
      `${await this.versionsOf(fileId)}/`,
      PROPERTIES,
      { depth: '1' },
      what,
    );
    const versions: FileVersion[] = [];
    for await (const resource of this.dav.resources(response)) {
      const version = readVersion(resource);
      if (version) versions.push(version);
    }
    return versions.sort((a, b) => Number(b.id) - Number(a.id));
  }

  /** The current content becomes a version, and that version the content. */
  async restore(fileId: string, version: string, what: string): Promise<void> {
    const headers = { destination: `${await this.dav.treeOf('versions')}/restore/target` };
    const url = `${await this.versionsOf(fileId)}/${encodeURIComponent(version)}`;
    const response = await this.dav.write('MOVE', url, { headers }, what);
    if (response.status < 200 || response.status > 299) throw await filesErrorOf(response, what, 'change');
    await response.discard();
  }

  private async versionsOf(fileId: string): Promise<string> {
    return `${await this.dav.treeOf('versions')}/versions/${encodeURIComponent(fileId)}`;
  }
}

/** Undefined for the folder of the versions, whose last segment is the file's id. */
const readVersion = (resource: DavResponse): FileVersion | undefined => {
  if (resource.href.endsWith('/')) return undefined;
  const id = lastSegmentOf(resource.href);
  if (!/^\d{1,12}$/.test(id)) return undefined;
  const text = (name: (typeof PROPERTIES)[number]) => resource.properties.get(clark(name))?.text.trim();
  const size = Number(text('d:getcontentlength') ?? Number.NaN);
  const at = Date.parse(text('d:getlastmodified') ?? '');
  return {
    id,
    at: Number.isNaN(at) ? null : new Date(at),
    size: Number.isSafeInteger(size) ? size : null,
  };
};
